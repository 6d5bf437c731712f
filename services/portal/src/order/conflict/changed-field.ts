import type { ReactNode } from 'react';

export interface ChangedField {
  field: string;
  name: string;
  before: ReactNode;
  theirs: ReactNode;
  /** A cell of the lines, not a field of the head. */
  isCell?: boolean;
  /** It is no longer there: what was typed cannot be kept. */
  isGone?: boolean;
  /** What was typed instead; absent where nothing was, or the same. */
  mine?: ReactNode;
}

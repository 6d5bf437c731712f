import type { ReactNode } from 'react';

/** A field that others changed, as it is shown. */
export interface ChangedField {
  field: string;
  name: string;
  before: ReactNode;
  theirs: ReactNode;
  /** What was typed instead; absent where nothing was, or the same. */
  mine?: ReactNode;
}

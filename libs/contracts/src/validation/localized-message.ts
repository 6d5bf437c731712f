import type { z } from 'zod';
import type { Locale } from '../identity.js';

/** An error of one value: a code and a message in both languages. */
export type Finding = { code: string } & Record<Locale, string>;

/** The code and localized messages of a refinement, for rejected values. */
export const localizedMessage = (code: string, en: string, zh: string) => ({ error: en, params: { code, zh } });

/** The localized messages of the refinement that raised an issue; null if it has none. */
export function localizedMessageOf({ message: en, params }: z.core.$ZodIssueCustom): Finding | null {
  const { code, zh } = (params ?? {}) as Partial<ReturnType<typeof localizedMessage>['params']>;
  return code === undefined || zh === undefined ? null : { code, en, zh };
}

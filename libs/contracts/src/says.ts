import type { z } from 'zod';
import type { Locale } from './identity.js';

/** What is wrong with one value: a code, and a sentence in both languages. */
export type Finding = { code: string } & Record<Locale, string>;

/** What a refinement says of a value that it refuses. */
export const says = (code: string, en: string, zh: string) => ({ error: en, params: { code, zh } });

/** What the refinement behind an issue said; null for one without texts. */
export function saidBy({ message: en, params }: z.core.$ZodIssueCustom): Finding | null {
  const { code, zh } = (params ?? {}) as Partial<ReturnType<typeof says>['params']>;
  return code === undefined || zh === undefined ? null : { code, en, zh };
}

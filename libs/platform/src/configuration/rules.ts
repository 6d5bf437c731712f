import type { z } from 'zod';

/** Settings that are each right may be wrong together. */
export interface Rule {
  /** The one to be blamed. */
  setting: string;
  holds: (settings: Readonly<Record<string, unknown>>) => boolean;
  /** What is wrong with it. */
  error: string;
}

/** The schema with these rules, which are looked at although other settings are wrong: every problem is told at once. */
export const together = <S extends z.ZodObject>(schema: S, rules: readonly Rule[]): S =>
  rules.reduce(
    (ruled, { setting, holds, error }) =>
      ruled.refine((settings) => holds(settings), { path: [setting], error, when: () => true }),
    schema,
  );

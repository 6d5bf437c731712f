import type { z } from 'zod';

/** A condition on several settings. */
export interface Rule {
  /** The one that the error names. */
  setting: string;
  holds: (settings: Readonly<Record<string, unknown>>) => boolean;
  /** The error's text. */
  error: string;
}

/** Adds the rules to the schema. They are checked although other settings are wrong, so that one error lists every problem. */
export const withCrossFieldRules = <S extends z.ZodObject>(schema: S, rules: readonly Rule[]): S =>
  rules.reduce(
    (ruled, { setting, holds, error }) =>
      ruled.refine((settings) => holds(settings), { path: [setting], error, when: () => true }),
    schema,
  );

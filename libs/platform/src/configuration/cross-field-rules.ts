import type { z } from 'zod';

/** A condition on several settings. */
export interface Rule {
  /** The setting that the error is reported for. */
  setting: string;
  holds: (settings: Readonly<Record<string, unknown>>) => boolean;
  error: string;
}

/** Adds the rules to the schema. They are checked even if other settings are invalid, so that one error lists every problem. */
export const withCrossFieldRules = <S extends z.ZodObject>(schema: S, rules: readonly Rule[]): S =>
  rules.reduce(
    (ruled, { setting, holds, error }) =>
      ruled.refine((settings) => holds(settings), { path: [setting], error, when: () => true }),
    schema,
  );

const SWITCHES = ['scale', 'replicas', 'exports', 'soak', 'streams', 'traces'] as const;

/** What the benchmark measures: the sides in comparison, or the product alone in one way. */
export type ModeName = 'comparison' | (typeof SWITCHES)[number];

/** The mode that the arguments name by its switch; comparison without one. Throws for two of them. */
export function modeOf(args: readonly string[]): ModeName {
  const named = SWITCHES.filter((mode) => args.some((arg) => arg === `--${mode}` || arg.startsWith(`--${mode}=`)));
  if (named.length > 1)
    throw new Error(`${named.map((mode) => `--${mode}`).join(' and ')} cannot be measured in one run`);
  return named[0] ?? 'comparison';
}

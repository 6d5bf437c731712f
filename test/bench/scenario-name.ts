const SWITCHES = ['scale', 'replicas', 'exports', 'soak', 'streams', 'traces'] as const;

type ScenarioName = 'comparison' | (typeof SWITCHES)[number];

/** The scenario that the arguments name, and its options; the comparison without a name. Throws for two names. */
export function nameOf(args: readonly string[]): { name: ScenarioName; args: string[] } {
  const named = SWITCHES.filter((name) => args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`)));
  if (named.length > 1) {
    throw new Error(`${named.map((name) => `--${name}`).join(' and ')} cannot be measured in one run`);
  }
  const name = named[0] ?? 'comparison';
  // `--replicas` is also an option of its scenario, with a value.
  return { name, args: args.filter((arg) => name === 'replicas' || arg !== `--${name}`) };
}

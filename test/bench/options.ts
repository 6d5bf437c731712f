import { argumentsOf, choicesOf, numberOf, wholeNumberOf, wholeNumbersOf } from '#local/option-values.js';

/** An option of a scenario: its default text and its parser; `read` throws for invalid text. */
export interface Option<Value> {
  fallback: string;
  read: (name: string, text: string) => Value;
}

export type OptionTable = Record<string, Option<unknown>>;
export type OptionsOf<Table extends OptionTable> = { [Name in keyof Table]: ReturnType<Table[Name]['read']> };

export const number = (fallback: number, from: number, to: number): Option<number> => ({
  fallback: String(fallback),
  read: (name, text) => numberOf(name, text, { from, to }),
});
export const wholeNumber = (fallback: number, from: number, to: number): Option<number> => ({
  fallback: String(fallback),
  read: (name, text) => wholeNumberOf(name, text, { from, to }),
});
export const wholeNumbers = (fallback: string, from: number, to: number): Option<number[]> => ({
  fallback,
  read: (name, text) => wholeNumbersOf(name, text, { from, to }),
});
export const choices = <const Choice extends string>(all: readonly Choice[]): Option<Choice[]> => ({
  fallback: all.join(','),
  read: (name, text) => choicesOf(name, text, all),
});

/** Reads the options of a scenario. Throws for an unknown option or an invalid value, naming the option. */
export function readOptions<Table extends OptionTable>(args: string[], table: Table): OptionsOf<Table> {
  const options = Object.fromEntries(Object.keys(table).map((name) => [name, { type: 'string' as const }]));
  const { values } = argumentsOf({ args, options });
  const read = Object.entries(table).map(([name, each]) => [name, each.read(name, values[name] ?? each.fallback)]);
  return Object.fromEntries(read) as OptionsOf<Table>;
}

/** The scenario selected by a switch (default: the comparison) and its options. Throws for two scenarios. */
export function nameOf(args: readonly string[], names: readonly string[]): { name: string; args: string[] } {
  const isNamed = (name: string) => args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
  const [name = 'comparison', second] = names.filter(isNamed);
  if (second !== undefined) throw new Error(`--${name} and --${second} cannot be measured in one run`);
  // `--replicas` is both a scenario and an option with a value.
  return { name, args: args.filter((arg) => name === 'replicas' || arg !== `--${name}`) };
}

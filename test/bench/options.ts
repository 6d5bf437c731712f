import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { callersFolder } from '#local/config.js';
import type { Assortment } from '#local/generator/orders.js';
import { choicesOf, numberOf, wholeNumberOf, wholeNumbersOf } from '#local/option-values.js';

/** An option of a scenario: its value when it is not given, and how its text is read; `read` throws for an invalid text. */
export interface Option<Value> {
  fallback: string | null;
  read: (name: string, text: string | null) => Value;
}

export type OptionTable = Record<string, Option<unknown>>;
export type OptionsOf<Table extends OptionTable> = { [Name in keyof Table]: ReturnType<Table[Name]['read']> };

const option = <Value>(fallback: string | number, read: (name: string, text: string) => Value): Option<Value> => ({
  fallback: String(fallback),
  read: (name, text) => read(name, text ?? ''),
});

export const number = (fallback: number, from: number, to: number): Option<number> =>
  option(fallback, (name, text) => numberOf(name, text, { from, to }));
export const whole = (fallback: number, from: number, to: number): Option<number> =>
  option(fallback, (name, text) => wholeNumberOf(name, text, { from, to }));
export const wholes = (fallback: string, from: number, to: number): Option<number[]> =>
  option(fallback, (name, text) => wholeNumbersOf(name, text, { from, to }));
export const choices = <const Choice extends string>(all: readonly Choice[]): Option<Choice[]> =>
  option(all.join(','), (name, text) => choicesOf(name, text, all));

/** A path, relative to the folder that the caller is in; null when it is not given. */
export const folder: Option<string | null> = {
  fallback: null,
  read: (name, text) => {
    if (text === '') throw new Error(`--${name} takes a folder`);
    return text === null ? null : resolve(callersFolder(), text);
  },
};

/** Reads the options of a scenario. Throws, naming the option, for an unknown one and for an invalid value. */
export function readOptions<Table extends OptionTable>(args: string[], table: Table): OptionsOf<Table> {
  const options = Object.fromEntries(Object.keys(table).map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ args, options });
  const read = Object.entries(table).map(([name, each]) => [name, each.read(name, values[name] ?? each.fallback)]);
  return Object.fromEntries(read) as OptionsOf<Table>;
}

/** The generated orders that the options describe; 50 lines each from 500 vendors if not told otherwise. */
export const assortmentOf = (sizes: Pick<Assortment, 'orders'> & Partial<Assortment>): Assortment => ({
  cells: 50,
  vendors: 500,
  seed: 1,
  today: new Date().toISOString().slice(0, 10),
  ...sizes,
});

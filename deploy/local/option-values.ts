// Parsers of command-line options. Each throws an error with the option, the allowed values and the given value.
import { type ParseArgsConfig, parseArgs } from 'node:util';

interface Range {
  from: number;
  to: number;
}

/** Like `parseArgs`, but its errors also list the available options. */
export function argumentsOf<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const options = Object.keys(config.options ?? {}).map((name) => `--${name}`);
    const [sentence] = (error as Error).message.split('. ');
    const allowed = options.length === 0 ? 'there are no options' : `the options are ${options.join(', ')}`;
    throw new Error(`${sentence}: ${allowed}`, { cause: error });
  }
}

/** Splits `--name=value` of the given options into two arguments. Others stay as they are, for a program that reads them itself. */
export const withSplitOptions = (args: readonly string[], options: readonly string[]): string[] =>
  args.flatMap((arg) => {
    const at = arg.indexOf('=');
    return at > 0 && options.includes(arg.slice(0, at)) ? [arg.slice(0, at), arg.slice(at + 1)] : [arg];
  });

/** Parses a number, which may have a fraction. */
export function numberOf(option: string, text: string, { from, to }: Range): number {
  const value = Number(text);
  if (value >= from && value <= to) return value;
  throw new Error(`--${option} takes a number from ${from} to ${to}, not "${text}"`);
}

export function wholeNumberOf(option: string, text: string, { from, to }: Range): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= from && value <= to) return value;
  throw new Error(`--${option} takes a whole number from ${from} to ${to}, not "${text}"`);
}

/** Parses whole numbers separated by commas, in the given order. */
export function wholeNumbersOf(option: string, text: string, { from, to }: Range): number[] {
  const values = text.split(',').map(Number);
  if (values.every((value) => Number.isInteger(value) && value >= from && value <= to)) return values;
  throw new Error(`--${option} takes whole numbers from ${from} to ${to}, separated by commas, not "${text}"`);
}

/** Parses names separated by commas, and returns them in the order of the choices. */
export function choicesOf<const Choice extends string>(
  option: string,
  text: string,
  choices: readonly Choice[],
): Choice[] {
  const named = text.split(',');
  const unknown = named.find((name) => !(choices as readonly string[]).includes(name));
  if (unknown === undefined) return choices.filter((choice) => named.includes(choice));
  throw new Error(`--${option} takes ${choices.join(', ')}, separated by commas, not "${unknown}"`);
}

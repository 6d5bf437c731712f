// Parsers for the options of a command. Each throws with the option, the allowed values, and the given one.

interface Range {
  from: number;
  to: number;
}

/** A number, also with a fraction. */
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

/** As given, separated by commas. */
export function wholeNumbersOf(option: string, text: string, { from, to }: Range): number[] {
  const values = text.split(',').map(Number);
  if (values.every((value) => Number.isInteger(value) && value >= from && value <= to)) return values;
  throw new Error(`--${option} takes whole numbers from ${from} to ${to}, separated by commas, not "${text}"`);
}

/** Of the choices, in their order, those that are named, separated by commas. */
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

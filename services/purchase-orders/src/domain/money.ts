import type { Money } from './order.js';

const SCALE = 10_000n;
const UNITS = Number(SCALE);
/** Below this bound, the rounding error of a product of doubles is less than half a unit. */
const EXACT_BELOW = 2 ** 50;
const UNITS_PER_CENT = 100n;
const DECIMAL = /^(-?)(\d+)(?:\.(\d{1,4})0*)?$/;

/** Parses a decimal text such as PostgreSQL's numeric ("12.5000"). Throws RangeError for no number or more than 4 decimals. */
export function parseMoney(text: string): Money {
  const [, sign, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`"${text}" is not a decimal of at most 4 places`);
  const amount = BigInt(whole) * SCALE + BigInt(fraction.padEnd(4, '0'));
  return sign === '-' ? -amount : amount;
}

/** Converts a JSON number of at most 4 decimals and 15 significant digits, which a double represents precisely enough. */
export function moneyOf(value: number): Money {
  const units = Math.round(value * UNITS);
  return Math.abs(units) < EXACT_BELOW ? BigInt(units) : parseMoney(value.toFixed(4));
}

/** Formats money as numeric(14,4): "12.5000". */
export function formatMoney(money: Money): string {
  const magnitude = money < 0n ? -money : money;
  return `${money < 0n ? '-' : ''}${magnitude / SCALE}.${String(magnitude % SCALE).padStart(4, '0')}`;
}

/** The JSON number closest to the amount. */
export function moneyToNumber(money: Money): number {
  const units = Number(money);
  // Dividing two exact doubles gives the nearest double, like parsing the decimal text.
  return Number.isSafeInteger(units) ? units / UNITS : Number(formatMoney(money));
}

/** Rounds half-up to 2 decimals, still in ten-thousandths. Amounts are never negative. */
export function roundToCents(money: Money): Money {
  return ((money + UNITS_PER_CENT / 2n) / UNITS_PER_CENT) * UNITS_PER_CENT;
}

/** `total / weight`, rounded half-up to 4 decimals. */
export function meanOf(total: Money, weight: bigint): Money {
  return (2n * total + weight) / (2n * weight);
}

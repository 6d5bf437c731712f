import type { Money } from './order.js';

const SCALE = 10_000n;
const UNITS = Number(SCALE);
/** Below, the roundings of a product of doubles are off by less than half a unit. */
const ROUNDED_RIGHT = 2 ** 50;
const PER_CENT = 100n;
const DECIMAL = /^(-?)(\d+)(?:\.(\d{1,4})0*)?$/;

/** Ten-thousandths of a decimal text such as PostgreSQL's numeric ("12.5000"). Throws RangeError for anything finer or no number. */
export function parseMoney(text: string): Money {
  const [, sign, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`"${text}" is not a decimal of at most 4 places`);
  const amount = BigInt(whole) * SCALE + BigInt(fraction.padEnd(4, '0'));
  return sign === '-' ? -amount : amount;
}

/** Ten-thousandths of a JSON number of at most 4 decimals and 15 significant digits, which a double holds exactly enough. */
export function moneyOf(value: number): Money {
  const units = Math.round(value * UNITS);
  return Math.abs(units) < ROUNDED_RIGHT ? BigInt(units) : parseMoney(value.toFixed(4));
}

/** The text of numeric(14,4): "12.5000". */
export function formatMoney(money: Money): string {
  const magnitude = money < 0n ? -money : money;
  return `${money < 0n ? '-' : ''}${magnitude / SCALE}.${String(magnitude % SCALE).padStart(4, '0')}`;
}

/** The JSON number that people read as this amount. */
export function moneyToNumber(money: Money): number {
  const units = Number(money);
  // The quotient of two exact numbers is the double next to it, as of the same decimal's text.
  return Number.isSafeInteger(units) ? units / UNITS : Number(formatMoney(money));
}

/** Rounded half-up to 2 decimals; still in ten-thousandths. Amounts are never negative. */
export function roundToCents(money: Money): Money {
  return ((money + PER_CENT / 2n) / PER_CENT) * PER_CENT;
}

/** `total / weight`, rounded half-up to 4 decimals. */
export function meanOf(total: Money, weight: bigint): Money {
  return (2n * total + weight) / (2n * weight);
}

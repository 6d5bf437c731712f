import { type Tolerances, daysBetween } from '@po/contracts';
import { moneyOf, parseMoney } from './money.js';
import type { Order } from './order.js';
import { baseline, current, isLineAgreed, currentLines, totals } from './values.js';

/** Two integers in pieces or ten-thousandths of a currency; text, because JSON numbers cannot hold large integers. */
interface Difference {
  from: string;
  to: string;
}

/**
 * Deviation of a submitted order from its baseline, which approval policies evaluate. A limit applies to each line, so the largest increase
 * and decrease, as shares of the baseline, represent all lines.
 */
export interface Deviation {
  /** Days by which the ex-factory date is later; negative if it is earlier. */
  daysLater: number;
  factoryChanged: boolean;
  qtyIncrease: Difference | null;
  qtyDecrease: Difference | null;
  priceIncrease: Difference | null;
  priceDecrease: Difference | null;
  currency: string;
  /** Ten-thousandths. */
  amount: string;
  hasSourceConflict: boolean;
}

/** The last version of a policy that is not deleted. */
export interface PolicyInForce {
  vendorCode: string | null;
  version: number;
  policy: Tolerances;
}

/** The differences of an order from its baseline, whoever caused them. Comment, container and tracking number do not count. */
export function deviationOf(order: Order): Deviation {
  const isAgreed = order.agreedAt !== null;
  const lines = currentLines(order);
  const quantities = lines.map((line): Values => {
    const { qty } = line;
    return [BigInt(baseline(qty, isLineAgreed(line))), BigInt(current(qty))];
  });
  const prices = lines.map((line): Values => [baseline(line.price, isLineAgreed(line)), current(line.price)]);
  return {
    daysLater: daysBetween(baseline(order.xfd, isAgreed), current(order.xfd)),
    factoryChanged: baseline(order.factory, isAgreed) !== current(order.factory),
    qtyIncrease: largest(quantities.filter(([from, to]) => to > from)),
    qtyDecrease: largest(quantities.filter(([from, to]) => to < from)),
    priceIncrease: largest(prices.filter(([from, to]) => to > from)),
    priceDecrease: largest(prices.filter(([from, to]) => to < from)),
    currency: order.currency,
    amount: String(totals(order).amount),
    hasSourceConflict: order.hasSourceConflict,
  };
}

/** Whether a policy, if enabled, approves a submitted order with this deviation. Limits are inclusive. */
export function isWithin(deviation: Deviation, tolerances: Tolerances): boolean {
  const { daysLater, factoryChanged, hasSourceConflict } = deviation;
  return (
    !hasSourceConflict &&
    daysLater <= tolerances.maxDaysLater &&
    -daysLater <= tolerances.maxDaysEarlier &&
    (!factoryChanged || tolerances.allowFactoryChange) &&
    isDifferenceWithin(deviation.qtyIncrease, tolerances.maxQtyIncreasePercent) &&
    isDifferenceWithin(deviation.qtyDecrease, tolerances.maxQtyDecreasePercent) &&
    isDifferenceWithin(deviation.priceIncrease, tolerances.maxPriceIncreasePercent) &&
    isDifferenceWithin(deviation.priceDecrease, tolerances.maxPriceDecreasePercent) &&
    isAmountWithin(deviation, tolerances)
  );
}

/** History comment of an approval by a policy. It names the policy but none of its limits, because vendors read it. */
export const commentOf = ({ vendorCode, version }: Pick<PolicyInForce, 'vendorCode' | 'version'>): string =>
  `Approval policy ${vendorCode ?? 'default'}, version ${version}`;

type Values = readonly [from: bigint, to: bigint];
const distance = ([from, to]: Values): bigint => (to > from ? to - from : from - to);

/** The difference with the largest share of its baseline; a difference from 0 is larger than any other. */
function largest(differences: readonly Values[]): Difference | null {
  const [first, ...others] = differences;
  if (!first) return null;
  const [from, to] = others.reduce(
    (most, each) => (distance(each) * most[0] > distance(most) * each[0] ? each : most),
    first,
  );
  return { from: String(from), to: String(to) };
}

const PERCENT = 100n;
/** Scale of `moneyOf`, which also converts percentages exactly. */
const SCALE = 10_000n;

function isDifferenceWithin(difference: Difference | null, percent: number): boolean {
  if (!difference) return true;
  const from = BigInt(difference.from);
  return distance([from, BigInt(difference.to)]) * PERCENT * SCALE <= moneyOf(percent) * from;
}

/** Amounts have 2 decimals. For the largest, the 4 decimals of `moneyOf` exceed the precision of a double. */
function isAmountWithin({ currency, amount }: Deviation, { maxAmount }: Tolerances): boolean {
  if (maxAmount.length === 0) return true;
  const limit = maxAmount.find((each) => each.currency === currency);
  return limit !== undefined && BigInt(amount) <= parseMoney(limit.amount.toFixed(2));
}

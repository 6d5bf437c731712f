import { type Tolerances, daysBetween } from '@po/contracts';
import { moneyOf, parseMoney } from './money.js';
import type { Order } from './order.js';
import { baseline, current, isLineAgreed, currentLines, totals } from './values.js';

/** Two integers in pieces or ten-thousandths of a currency; text, because JSON numbers cannot hold large integers. */
interface Move {
  from: string;
  to: string;
}

/**
 * How far a submitted order is off its baseline; policies evaluate it. Limits apply to each line alike, so the largest move in each
 * direction, as a share of the baseline, represents all lines.
 */
export interface Submission {
  /** Days by which the ex-factory date is later; negative if it is earlier. */
  daysLater: number;
  factoryChanged: boolean;
  qtyIncrease: Move | null;
  qtyDecrease: Move | null;
  priceIncrease: Move | null;
  priceDecrease: Move | null;
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
export function submissionOf(order: Order): Submission {
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

/** Whether a policy, if enabled, approves a submission. Limits are inclusive. */
export function isWithin(submission: Submission, tolerances: Tolerances): boolean {
  const { daysLater, factoryChanged, hasSourceConflict } = submission;
  return (
    !hasSourceConflict &&
    daysLater <= tolerances.maxDaysLater &&
    -daysLater <= tolerances.maxDaysEarlier &&
    (!factoryChanged || tolerances.allowFactoryChange) &&
    isMoveWithin(submission.qtyIncrease, tolerances.maxQtyIncreasePercent) &&
    isMoveWithin(submission.qtyDecrease, tolerances.maxQtyDecreasePercent) &&
    isMoveWithin(submission.priceIncrease, tolerances.maxPriceIncreasePercent) &&
    isMoveWithin(submission.priceDecrease, tolerances.maxPriceDecreasePercent) &&
    isAmountWithin(submission, tolerances)
  );
}

/** History comment of an approval by a policy. It names the policy but none of its limits, because vendors read it. */
export const commentOf = ({ vendorCode, version }: Pick<PolicyInForce, 'vendorCode' | 'version'>): string =>
  `Approval policy ${vendorCode ?? 'default'}, version ${version}`;

type Values = readonly [from: bigint, to: bigint];
const distance = ([from, to]: Values): bigint => (to > from ? to - from : from - to);

/** The move with the largest share of its baseline; a move from 0 is larger than any other. */
function largest(moves: readonly Values[]): Move | null {
  const [first, ...others] = moves;
  if (!first) return null;
  const [from, to] = others.reduce(
    (most, move) => (distance(move) * most[0] > distance(most) * move[0] ? move : most),
    first,
  );
  return { from: String(from), to: String(to) };
}

const PERCENT = 100n;
/** Scale of `moneyOf`, which also converts percentages exactly. */
const SCALE = 10_000n;

function isMoveWithin(move: Move | null, percent: number): boolean {
  if (!move) return true;
  const from = BigInt(move.from);
  return distance([from, BigInt(move.to)]) * PERCENT * SCALE <= moneyOf(percent) * from;
}

/** Amounts have 2 decimals. For the largest, the 4 decimals of `moneyOf` exceed the precision of a double. */
function isAmountWithin({ currency, amount }: Submission, { maxAmount }: Tolerances): boolean {
  if (maxAmount.length === 0) return true;
  const limit = maxAmount.find((each) => each.currency === currency);
  return limit !== undefined && BigInt(amount) <= parseMoney(limit.amount.toFixed(2));
}

import { type LineChange, statusOf } from '@po/contracts';
import { lineChange } from '../transitions.js';
import { moneyOf, moneyToNumber } from '../money.js';
import type { Line, Money, Negotiated, Order, SourceLine } from '../order.js';
import { type AppliedValue, fromSource, withSourceValue, applySourceValue, withoutReply } from '../source-values.js';
import { isLineAgreed, itemKey } from '../values.js';

export interface ReconciledLines {
  lines: Line[];
  /** A commercial change: a quantity, a price or a line. */
  changed: boolean;
  /** Any other change: a line id, an SKU or the sequence of lines. */
  silent: boolean;
  changes: LineChange[];
}

interface Step {
  line: Line;
  changed: boolean;
  silent: boolean;
  changes: LineChange[];
}

/** Applies the source's complete list of lines. */
export function reconcileLines(order: Order, sourceLines: readonly SourceLine[]): ReconciledLines {
  const dropsReplies = statusOf(order.statusId).followsSource;
  const stored = new Map(order.lines.map((line) => [line.rowHash, line]));
  const itemReplies = new Map<string, Negotiated<Money>>();
  for (const line of order.lines) if (!line.removed) itemReplies.set(itemKey(line), line.price);
  // An item that returns as a whole keeps its price reply, which then also applies to its new lines.
  for (const { rowHash } of dropsReplies ? [] : sourceLines) {
    const line = stored.get(rowHash);
    if (line && !itemReplies.has(itemKey(line))) itemReplies.set(itemKey(line), line.price);
  }

  const steps = sourceLines.map((incoming, position): Step => {
    const line = stored.get(incoming.rowHash);
    stored.delete(incoming.rowHash);
    if (!line || line.removed)
      return addedLine(incoming, position, line ?? null, itemReplies.get(itemKey(incoming)), dropsReplies);
    return updatedLine(line, incoming, dropsReplies);
  });
  const missing = [...stored.values()].map((line) => omittedLine(line, dropsReplies));
  const settled = dropsReplies ? dropPriceReplies(order, [...steps, ...missing]) : [...steps, ...missing];
  const lines = inSourceOrder(
    order.lines,
    settled.map(({ line }) => line),
  );
  return {
    lines,
    changed: settled.some(({ changed }) => changed),
    silent: settled.some(({ silent }) => silent) || isReordered(order.lines, lines),
    changes: settled.flatMap(({ changes }) => changes),
  };
}

/** Lines in the source's order. A line that the source omitted but that stays visible keeps its place after its predecessor. */
function inSourceOrder(before: readonly Line[], listed: readonly Line[]): Line[] {
  const shown = listed.filter(({ removed }) => !removed);
  const kept = shown.filter(({ removalEchoed }) => removalEchoed);
  const placed = kept.length === 0 ? shown : afterPredecessors(before, shown, kept);
  return [...placed, ...listed.filter(({ removed }) => removed)].map((line, position) =>
    line.position === position ? line : { ...line, position },
  );
}

/** Places each line of `kept`, a subset of `shown`, after the line that it followed before. */
function afterPredecessors(before: readonly Line[], shown: readonly Line[], kept: readonly Line[]): Line[] {
  const keptOf = new Map(kept.map((line) => [line.rowHash, line]));
  const live = shown.filter(({ removalEchoed }) => !removalEchoed);
  const stays = new Set(live.map(({ rowHash }) => rowHash));
  const first: Line[] = [];
  const behind = new Map<string, Line[]>();
  let place = first;
  for (const { rowHash, removed } of before.toSorted((a, b) => a.position - b.position)) {
    if (removed) continue;
    const line = keptOf.get(rowHash);
    if (line) place.push(line);
    else if (stays.has(rowHash)) {
      place = [];
      behind.set(rowHash, place);
    }
  }
  return [...first, ...live.flatMap((line) => [line, ...(behind.get(line.rowHash) ?? [])])];
}

/** True if the lines that were and still are part of the order changed their sequence. */
function isReordered(before: readonly Line[], after: readonly Line[]): boolean {
  const hashes = (lines: readonly Line[], others: readonly Line[]) => {
    const known = new Set(others.filter(({ removed }) => !removed).map(({ rowHash }) => rowHash));
    const live = lines.filter(({ removed, rowHash }) => !removed && known.has(rowHash));
    return live.toSorted((a, b) => a.position - b.position).map(({ rowHash }) => rowHash);
  };
  return hashes(before, after).join() !== hashes(after, before).join();
}

function updatedLine(line: Line, incoming: SourceLine, dropsReplies: boolean): Step {
  const isAgreed = isLineAgreed(line);
  const unitPrice = moneyOf(incoming.unitPrice);
  // A line that left as an echo can return as an echo. With other values its return is a change, even if the source sent them before.
  const returned = line.removalEchoed && !(incoming.qty === line.qty.agreed && unitPrice === line.price.agreed);
  const qty = returned
    ? returnedValue(line.qty, incoming.qty, dropsReplies)
    : applySourceValue(line.qty, incoming.qty, isAgreed, dropsReplies);
  const price = applySourceValue(line.price, unitPrice, isAgreed, dropsReplies);
  const { lineId, sku } = incoming;
  const isNamedAlike = lineId === line.lineId && sku === line.sku;
  // Derived values are cached by line object, so an unchanged line must stay the same object.
  const isKept = isNamedAlike && qty.value === line.qty && price.value === line.price && !line.removalEchoed;
  return {
    line: isKept ? line : { ...line, lineId, sku, qty: qty.value, price: price.value, removalEchoed: false },
    changed: qty.changed || price.changed,
    silent: !isNamedAlike,
    changes: [
      ...(qty.changed ? [lineChange(line, 'qty', returned ? null : line.qty.source, incoming.qty)] : []),
      ...(qty.changed && dropsReplies ? droppedQty(line) : []),
      ...(price.changed || returned
        ? [lineChange(line, 'unitPrice', returned ? null : moneyToNumber(line.price.source), incoming.unitPrice)]
        : []),
    ],
  };
}

function returnedValue<T>(value: Negotiated<T>, incoming: T, dropsReplies: boolean): AppliedValue<T> {
  const next = withSourceValue(value, incoming);
  return { value: dropsReplies ? withoutReply(next) : next, changed: true };
}

/** A line that is new, or that returns after it left the order. */
function addedLine(
  incoming: SourceLine,
  position: number,
  earlier: Line | null,
  item: Negotiated<Money> | undefined,
  dropsReplies: boolean,
): Step {
  const { rowHash, lineId, code, style, color, size, sku } = incoming;
  // A price reply applies to the whole item, so a line that joins the item inherits it. The reply is not approved for this line: if the
  // order returns to the vendor, it is pending unless the line is ordered at this price.
  const unitPrice = moneyOf(incoming.unitPrice);
  const inherited = item && {
    reply: item.reply,
    edited: item.reply !== null && (item.edited || (dropsReplies && item.reply !== unitPrice)),
  };
  const qty = earlier
    ? { ...withSourceValue(earlier.qty, incoming.qty), ...(dropsReplies ? { reply: null, edited: false } : {}) }
    : fromSource(incoming.qty);
  const price = earlier ? withSourceValue(earlier.price, unitPrice) : fromSource(unitPrice);
  const line: Line = {
    rowHash,
    position,
    lineId,
    code,
    style,
    color,
    size,
    sku,
    qty,
    price: { ...price, ...(dropsReplies ? { reply: null, edited: false } : {}), ...inherited },
    removed: false,
    removalEchoed: false,
  };
  return {
    line,
    changed: true,
    silent: false,
    changes: [
      lineChange(line, 'qty', null, incoming.qty),
      lineChange(line, 'unitPrice', null, incoming.unitPrice),
      ...(earlier && dropsReplies ? droppedQty(earlier) : []),
      ...priceChange(line, 'vendorReplyUnitPrice', earlier?.price.reply ?? null, line.price.reply),
    ],
  };
}

/** A line that the source no longer lists, or did not list before either. */
function omittedLine(line: Line, dropsReplies: boolean): Step {
  if (line.removed || line.removalEchoed) return { line, changed: false, silent: false, changes: [] };
  if (isLineAgreed(line) && line.qty.agreed === 0 && !line.qty.sourceChanged) {
    // Removing a line agreed at 0 echoes the agreement: the line stays visible at 0, and the order does not reopen.
    return { line: { ...line, removalEchoed: true }, changed: false, silent: false, changes: [] };
  }
  const [qty, price] = dropsReplies ? [withoutReply(line.qty), withoutReply(line.price)] : [line.qty, line.price];
  return {
    line: { ...line, qty: { ...qty, sourceChanged: true }, price: { ...price, sourceChanged: true }, removed: true },
    changed: true,
    silent: false,
    changes: [
      lineChange(line, 'qty', line.qty.source, null),
      ...(dropsReplies ? [...droppedQty(line), ...droppedPrice(line)] : []),
    ],
  };
}

/**
 * A price change on any line of an item drops the price reply of the whole item. A line whose agreed price the source had echoed falls back
 * to the echoed price, not to the older original.
 */
function dropPriceReplies(order: Order, steps: Step[]): Step[] {
  const before = new Map(order.lines.map((line) => [line.rowHash, line]));
  const repriced = new Set(
    steps
      .filter(({ line: { rowHash, removed, price } }) => {
        const known = before.get(rowHash);
        if (removed || !known || known.removed) return false;
        return price.sourceChanged && price.source !== known.price.source;
      })
      .map(({ line }) => itemKey(line)),
  );
  return steps.map((step) => {
    const { line } = step;
    if (line.removed || !repriced.has(itemKey(line))) return step;
    const known = before.get(line.rowHash);
    // A line that joined does not inherit the reply that is dropped here.
    const changes = step.changes.filter(({ field }) => field !== 'vendorReplyUnitPrice');
    // If the vendor had cleared the reply, nothing is dropped: the clearing still needs approval.
    const price = line.price.reply === null ? line.price : { ...withoutReply(line.price), original: line.price.source };
    const isReported = changes.some(({ field }) => field === 'unitPrice');
    const moved = isReported ? [] : priceChange(line, 'unitPrice', line.price.original, price.original);
    return {
      ...step,
      line: { ...line, price },
      changes: [...changes, ...moved, ...(known ? droppedPrice(known) : [])],
    };
  });
}

function droppedQty(line: Line): LineChange[] {
  return line.qty.reply === null ? [] : [lineChange(line, 'vendorReplyQty', line.qty.reply, null)];
}

const droppedPrice = (line: Line): LineChange[] => priceChange(line, 'vendorReplyUnitPrice', line.price.reply, null);

function priceChange(line: Line, field: string, from: Money | null, to: Money | null): LineChange[] {
  const numberOf = (price: Money | null) => (price === null ? null : moneyToNumber(price));
  return from === to ? [] : [lineChange(line, field, numberOf(from), numberOf(to))];
}

import { type LineChange, statusOf } from '@po/contracts';
import { lineChange } from '../transitions.js';
import { moneyOf, moneyToNumber } from '../money.js';
import type { Cell, Money, Negotiated, Order, SourceLine } from '../order.js';
import { type AppliedValue, fromSource, withSourceValue, applySourceValue, withoutReply } from '../source-values.js';
import { isCellAgreed, itemKey } from '../values.js';

export interface ReconciledCells {
  cells: Cell[];
  /** A commercial change: a quantity, a price or a row. */
  changed: boolean;
  /** Any other change: a line id, an SKU or the order of rows. */
  silent: boolean;
  changes: LineChange[];
}

interface Step {
  cell: Cell;
  changed: boolean;
  silent: boolean;
  changes: LineChange[];
}

/** Applies the source's complete list of lines. */
export function reconcileCells(order: Order, lines: readonly SourceLine[]): ReconciledCells {
  const drop = statusOf(order.statusId).followsSource;
  const stored = new Map(order.cells.map((cell) => [cell.rowHash, cell]));
  const itemReplies = new Map<string, Negotiated<Money>>();
  for (const cell of order.cells) if (!cell.removed) itemReplies.set(itemKey(cell), cell.price);
  // An item that returns as a whole keeps its price reply, which then also applies to its new rows.
  for (const { rowHash } of drop ? [] : lines) {
    const cell = stored.get(rowHash);
    if (cell && !itemReplies.has(itemKey(cell))) itemReplies.set(itemKey(cell), cell.price);
  }

  const steps = lines.map((line): Step => {
    const cell = stored.get(line.rowHash);
    stored.delete(line.rowHash);
    if (!cell || cell.removed) return joinedCell(line, cell ?? null, itemReplies.get(itemKey(line)), drop);
    return updatedCell(cell, line, drop);
  });
  const missing = [...stored.values()].map((cell) => missingCell(cell, drop));
  const settled = drop ? dropItemPrices(order, [...steps, ...missing]) : [...steps, ...missing];
  const cells = inSourceOrder(
    order.cells,
    settled.map(({ cell }) => cell),
  );
  return {
    cells,
    changed: settled.some(({ changed }) => changed),
    silent: settled.some(({ silent }) => silent) || isReordered(order.cells, cells),
    changes: settled.flatMap(({ changes }) => changes),
  };
}

/** Rows in the source's order. A row that the source omitted but that stays visible keeps its place after its neighbor. */
function inSourceOrder(before: readonly Cell[], listed: readonly Cell[]): Cell[] {
  const shown = listed.filter(({ removed }) => !removed);
  const kept = shown.filter(({ removalEchoed }) => removalEchoed);
  const placed = kept.length === 0 ? shown : besideNeighbours(before, shown, kept);
  return [...placed, ...listed.filter(({ removed }) => removed)].map((cell, position) =>
    cell.position === position ? cell : { ...cell, position },
  );
}

/** Places each row of `kept`, a subset of `shown`, after the row that it followed before. */
function besideNeighbours(before: readonly Cell[], shown: readonly Cell[], kept: readonly Cell[]): Cell[] {
  const keptOf = new Map(kept.map((cell) => [cell.rowHash, cell]));
  const live = shown.filter(({ removalEchoed }) => !removalEchoed);
  const stays = new Set(live.map(({ rowHash }) => rowHash));
  const first: Cell[] = [];
  const behind = new Map<string, Cell[]>();
  let place = first;
  for (const { rowHash, removed } of before.toSorted((a, b) => a.position - b.position)) {
    if (removed) continue;
    const cell = keptOf.get(rowHash);
    if (cell) place.push(cell);
    else if (stays.has(rowHash)) {
      place = [];
      behind.set(rowHash, place);
    }
  }
  return [...first, ...live.flatMap((cell) => [cell, ...(behind.get(cell.rowHash) ?? [])])];
}

/** True if the rows that were and still are part of the order changed their sequence. */
function isReordered(before: readonly Cell[], after: readonly Cell[]): boolean {
  const hashes = (cells: readonly Cell[], others: readonly Cell[]) => {
    const known = new Set(others.filter(({ removed }) => !removed).map(({ rowHash }) => rowHash));
    const live = cells.filter(({ removed, rowHash }) => !removed && known.has(rowHash));
    return live.toSorted((a, b) => a.position - b.position).map(({ rowHash }) => rowHash);
  };
  return hashes(before, after).join() !== hashes(after, before).join();
}

function updatedCell(cell: Cell, line: SourceLine, drop: boolean): Step {
  const isAgreed = isCellAgreed(cell);
  const unitPrice = moneyOf(line.unitPrice);
  // A row that left as an echo can return as an echo. With other values its return is a change, even if the source sent them before.
  const returned = cell.removalEchoed && !(line.qty === cell.qty.agreed && unitPrice === cell.price.agreed);
  const qty = returned ? returnedValue(cell.qty, line.qty, drop) : applySourceValue(cell.qty, line.qty, isAgreed, drop);
  const price = applySourceValue(cell.price, unitPrice, isAgreed, drop);
  const { lineId, sku } = line;
  const isNamedAlike = lineId === cell.lineId && sku === cell.sku;
  // Derived values are cached by cell object, so an unchanged cell must stay the same object.
  const isKept = isNamedAlike && qty.value === cell.qty && price.value === cell.price && !cell.removalEchoed;
  return {
    cell: isKept ? cell : { ...cell, lineId, sku, qty: qty.value, price: price.value, removalEchoed: false },
    changed: qty.changed || price.changed,
    silent: !isNamedAlike,
    changes: [
      ...(qty.changed ? [lineChange(cell, 'qty', returned ? null : cell.qty.source, line.qty)] : []),
      ...(qty.changed && drop ? droppedQty(cell) : []),
      ...(price.changed || returned
        ? [lineChange(cell, 'unitPrice', returned ? null : moneyToNumber(cell.price.source), line.unitPrice)]
        : []),
    ],
  };
}

function returnedValue<T>(value: Negotiated<T>, incoming: T, drop: boolean): AppliedValue<T> {
  const next = withSourceValue(value, incoming);
  return { value: drop ? withoutReply(next) : next, changed: true };
}

/** A row that is new, or that returns after it left the order. */
function joinedCell(line: SourceLine, earlier: Cell | null, item: Negotiated<Money> | undefined, drop: boolean): Step {
  const { rowHash, lineId, code, style, color, size, sku } = line;
  // A price reply applies to the whole item, so a row that joins the item inherits it. The reply is not approved for this row: if the
  // order returns to the vendor, it is pending unless the row is ordered at this price.
  const unitPrice = moneyOf(line.unitPrice);
  const inherited = item && {
    reply: item.reply,
    edited: item.reply !== null && (item.edited || (drop && item.reply !== unitPrice)),
  };
  const qty = earlier
    ? { ...withSourceValue(earlier.qty, line.qty), ...(drop ? { reply: null, edited: false } : {}) }
    : fromSource(line.qty);
  const price = earlier ? withSourceValue(earlier.price, unitPrice) : fromSource(unitPrice);
  const cell: Cell = {
    rowHash,
    position: -1,
    lineId,
    code,
    style,
    color,
    size,
    sku,
    qty,
    price: { ...price, ...(drop ? { reply: null, edited: false } : {}), ...inherited },
    removed: false,
    removalEchoed: false,
  };
  return {
    cell,
    changed: true,
    silent: false,
    changes: [
      lineChange(cell, 'qty', null, line.qty),
      lineChange(cell, 'unitPrice', null, line.unitPrice),
      ...(earlier && drop ? droppedQty(earlier) : []),
      ...priceReplyChange(cell, earlier?.price.reply ?? null, cell.price.reply),
    ],
  };
}

/** A row that the source no longer lists, or did not list before either. */
function missingCell(cell: Cell, drop: boolean): Step {
  if (cell.removed || cell.removalEchoed) return { cell, changed: false, silent: false, changes: [] };
  if (isCellAgreed(cell) && cell.qty.agreed === 0 && !cell.qty.sourceChanged) {
    // Removing a row agreed at 0 echoes the agreement: the row stays visible at 0, and the order does not reopen.
    return { cell: { ...cell, removalEchoed: true }, changed: false, silent: false, changes: [] };
  }
  const [qty, price] = drop ? [withoutReply(cell.qty), withoutReply(cell.price)] : [cell.qty, cell.price];
  return {
    cell: { ...cell, qty: { ...qty, sourceChanged: true }, price: { ...price, sourceChanged: true }, removed: true },
    changed: true,
    silent: false,
    changes: [
      lineChange(cell, 'qty', cell.qty.source, null),
      ...(drop ? [...droppedQty(cell), ...droppedPrice(cell)] : []),
    ],
  };
}

/**
 * A price change on any row of an item drops the price reply of the whole item. A row whose agreed price the source had echoed falls back
 * to the echoed price, not to the older original.
 */
function dropItemPrices(order: Order, steps: Step[]): Step[] {
  const before = new Map(order.cells.map((cell) => [cell.rowHash, cell]));
  const repriced = new Set(
    steps
      .filter(({ cell: { rowHash, removed, price } }) => {
        const known = before.get(rowHash);
        if (removed || !known || known.removed) return false;
        return price.sourceChanged && price.source !== known.price.source;
      })
      .map(({ cell }) => itemKey(cell)),
  );
  return steps.map((step) => {
    const { cell } = step;
    if (cell.removed || !repriced.has(itemKey(cell))) return step;
    const known = before.get(cell.rowHash);
    // A row that joined does not inherit the reply that is dropped here.
    const changes = step.changes.filter(({ field }) => field !== 'vendorReplyUnitPrice');
    // If the vendor had cleared the reply, nothing is dropped: the clearing still needs approval.
    const price = cell.price.reply === null ? cell.price : { ...withoutReply(cell.price), original: cell.price.source };
    return { ...step, cell: { ...cell, price }, changes: [...changes, ...(known ? droppedPrice(known) : [])] };
  });
}

function droppedQty(cell: Cell): LineChange[] {
  return cell.qty.reply === null ? [] : [lineChange(cell, 'vendorReplyQty', cell.qty.reply, null)];
}

const droppedPrice = (cell: Cell): LineChange[] => priceReplyChange(cell, cell.price.reply, null);

function priceReplyChange(cell: Cell, from: Money | null, to: Money | null): LineChange[] {
  const numberOf = (price: Money | null) => (price === null ? null : moneyToNumber(price));
  return from === to ? [] : [lineChange(cell, 'vendorReplyUnitPrice', numberOf(from), numberOf(to))];
}

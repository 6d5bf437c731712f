import type { FileFormat, ImportFile } from '../../api/writes.js';
import { columnOf } from '../file/columns.js';
import type { Sheet } from '../file/sheet.js';
import { isEmptyReply, repliesIn } from '../file/replies.js';
import { type OrderRows, csvOf, ordersIn } from '../file/split.js';
import { type OrderImport, type State, isPoNumber } from './order-import.js';

/** The file that the user chose, and its parsed content. */
export interface ChosenFile {
  name: string;
  content: Blob;
  format: FileFormat;
  sheet: Sheet;
}

export interface SplitFile {
  parts: OrderImport[];
  /** Orders that are not imported, and their numbers of rows. */
  leftOut: { poRef: string; rows: number }[];
  /** Row numbers without a PO number, in a file of several orders. */
  unnamed: number[];
  /** No row has a PO number, and no order was given. */
  needsOrder: boolean;
}

const NO_SUCH_ORDER: State = {
  at: 'refused',
  preview: null,
  refusal: { kind: 'unknown', message: '', requestId: null, statusId: null },
};
const NOTHING_TO_DO: State = { at: 'checked', preview: { version: 0, changes: [], errors: [] }, hasMoved: false };

/**
 * Splits a file by order; `wanted` keeps only one order. A file with a single order is sent to the API unchanged. Otherwise the rows of
 * each order are sent as a separate CSV.
 */
export function orderImportsOf(file: ChosenFile, wanted: string | null, newKey: () => string): SplitFile {
  const { sheet, content, format } = file;
  const orders = ordersIn(sheet);
  const named = orders.filter(({ poRef }) => poRef !== '');
  const part = (poRef: string, rows: Sheet['rows'], own: () => ImportFile, isChecked: boolean): OrderImport => {
    const state: State = isPoNumber(poRef) ? { at: 'waiting' } : NO_SUCH_ORDER;
    const replies = repliesIn(sheet, rows);
    const rowIds = replies.map(({ rowHash }) => rowHash);
    return { poRef, rowIds, replies: isChecked ? null : replies, file: own, key: newKey(), state };
  };
  const whole = (poRef: string): SplitFile => ({
    parts: [part(poRef, sheet.rows, () => ({ content, format }), true)],
    leftOut: [],
    unnamed: [],
    needsOrder: false,
  });
  const [only] = named;
  if (!only) return wanted === null ? { parts: [], leftOut: [], unnamed: [], needsOrder: true } : whole(wanted);
  if (named.length === 1 && (wanted ?? only.poRef) === only.poRef) return whole(only.poRef);
  const isWanted = ({ poRef }: OrderRows) => wanted === null || poRef === wanted;
  const columns = sheet.labels.map(columnOf);
  // Otherwise the replies are missing or ambiguous, and the API reports it.
  const hasReplies = columns.length > 1 && new Set(columns).size === columns.length;
  const separate = ({ poRef, rows }: OrderRows): OrderImport => {
    const csv = (): ImportFile => ({ content: new Blob([csvOf(sheet, rows)]), format: 'csv' });
    const own = part(poRef, rows, csv, !hasReplies);
    // Orders without changes are not checked: an exported list has hundreds of them.
    return own.state.at === 'waiting' && own.replies?.every(isEmptyReply) ? { ...own, state: NOTHING_TO_DO } : own;
  };
  return {
    parts: named.filter(isWanted).map(separate),
    leftOut: named.filter((order) => !isWanted(order)).map(({ poRef, rows }) => ({ poRef, rows: rows.length })),
    unnamed: orders.filter(({ poRef }) => poRef === '').flatMap(({ rows }) => rows.map(({ row }) => row)),
    needsOrder: false,
  };
}

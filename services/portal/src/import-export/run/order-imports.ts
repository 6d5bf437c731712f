import type { FileFormat, ImportFile } from '../../api/writes.js';
import type { Sheet } from '../file/sheet.js';
import { asksNothing, repliesIn } from '../file/replies.js';
import { type OrderRows, csvOf, ordersIn } from '../file/split.js';
import { type OrderImport, type State, isPoNumber } from './order-import.js';

/** A file as it was chosen, and what it says. */
export interface ChosenFile {
  name: string;
  content: Blob;
  format: FileFormat;
  sheet: Sheet;
}

export interface Shared {
  parts: OrderImport[];
  /** Orders that are not wanted, and their rows. */
  leftOut: { poRef: string; rows: number }[];
  /** Numbers of rows that do not say which order they are of, where that is not clear. */
  unnamed: number[];
  /** No row says its order, and nobody else did. */
  needsOrder: boolean;
}

const NO_SUCH_ORDER: State = {
  at: 'refused',
  preview: null,
  refusal: { kind: 'unknown', message: '', requestId: null, statusId: null },
};
const NOTHING_TO_DO: State = { at: 'checked', preview: { version: 0, changes: [], errors: [] }, hasMoved: false };

/**
 * The lines of each order in a file, or of the one that is wanted. A file of one order goes to the API as it is; of several, each order's
 * rows go as a CSV of their own.
 */
export function orderImportsOf(file: ChosenFile, wanted: string | null, newKey: () => string): Shared {
  const { sheet, content, format } = file;
  const orders = ordersIn(sheet);
  const named = orders.filter(({ poRef }) => poRef !== '');
  const part = (poRef: string, rows: number, own: () => ImportFile, replies: OrderImport['replies']): OrderImport => {
    const state: State = isPoNumber(poRef) ? { at: 'waiting' } : NO_SUCH_ORDER;
    return { poRef, rows, replies, file: own, key: newKey(), state };
  };
  const whole = (poRef: string): Shared => ({
    parts: [part(poRef, sheet.rows.length, () => ({ content, format }), null)],
    leftOut: [],
    unnamed: [],
    needsOrder: false,
  });
  const [only] = named;
  if (!only) return wanted === null ? { parts: [], leftOut: [], unnamed: [], needsOrder: true } : whole(wanted);
  if (named.length === 1 && (wanted ?? only.poRef) === only.poRef) return whole(only.poRef);
  const isWanted = ({ poRef }: OrderRows) => wanted === null || poRef === wanted;
  const separate = ({ poRef, rows }: OrderRows): OrderImport => {
    const replies = repliesIn(sheet, rows);
    const own = part(poRef, rows.length, () => ({ content: new Blob([csvOf(sheet, rows)]), format: 'csv' }), replies);
    // What asks for nothing need not be asked about: a list that was exported has hundreds of these.
    return own.state.at === 'waiting' && replies.every(asksNothing) ? { ...own, state: NOTHING_TO_DO } : own;
  };
  return {
    parts: named.filter(isWanted).map(separate),
    leftOut: named.filter((order) => !isWanted(order)).map(({ poRef, rows }) => ({ poRef, rows: rows.length })),
    unnamed: orders.filter(({ poRef }) => poRef === '').flatMap(({ rows }) => rows.map(({ row }) => row)),
    needsOrder: false,
  };
}

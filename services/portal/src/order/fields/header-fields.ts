import { ApiProblem, type components } from '@po/client';
import type { OrderDetail } from '../../api/schemas.js';
import type { TERMS } from '../../language/terms.js';
import { readDate } from './dates.js';
import { type Draft, type Fields, type Merge, merge } from '../conflict/three-way-merge.js';

export type HeaderPatch = components['schemas']['HeaderPatch'];
export type HeaderField = keyof HeaderPatch;
export type Value = string | null;
type Term = keyof (typeof TERMS)['en'];

/** Names of nullable text fields of an order that are also display terms. */
type TextName = {
  [Name in Term & keyof OrderDetail]: OrderDetail[Name] extends Value | undefined ? Name : never;
}[Term & keyof OrderDetail];

/** Response field names of a value to which the vendor can reply; the reply itself is `of`. */
type Negotiated = Readonly<Record<'original' | 'agreed' | 'current', TextName>>;

interface HeaderRow {
  of: keyof OrderDetail;
  term: Term;
  input: 'date' | 'text' | 'lines';
  negotiated?: Negotiated;
}

/** Editable header fields by their name in requests, in display order. */
export const HEADER_FIELDS: Readonly<Record<HeaderField, HeaderRow>> = {
  vendor_reply_xfd: {
    of: 'vendorReplyXfd',
    term: 'vendorReplyXfd',
    input: 'date',
    negotiated: { original: 'originalXfd', agreed: 'agreedXfd', current: 'xfDate' },
  },
  vendor_reply_factory: {
    of: 'vendorReplyFactory',
    term: 'vendorReplyFactory',
    input: 'text',
    negotiated: { original: 'originalFactory', agreed: 'agreedFactory', current: 'factory' },
  },
  vendor_reply_comment: { of: 'vendorReplyComment', term: 'comment', input: 'lines' },
  container_number: { of: 'containerNumber', term: 'container', input: 'text' },
  tracking_number: { of: 'trackingNumber', term: 'tracking', input: 'text' },
};

const NAMES = Object.keys(HEADER_FIELDS) as HeaderField[];

/** Header fields that reply to an original value. */
export const NEGOTIATED_ROWS = Object.values(HEADER_FIELDS).flatMap(({ negotiated, ...row }) =>
  negotiated ? [{ ...row, ...negotiated }] : [],
);

/** Values whose change by others an editing user must learn of, by the names of `valuesOf`. */
export const WATCHED: ReadonlyMap<string, { term: Term; isDate: boolean }> = new Map([
  ...NAMES.map((name) => watched(name, HEADER_FIELDS[name].term, HEADER_FIELDS[name].input)),
  watched('statusId', 'status'),
  ...NEGOTIATED_ROWS.map(({ original, input }) => watched(original, original, input)),
]);

function watched(name: string, term: Term, input?: HeaderRow['input']) {
  return [name, { term, isDate: input === 'date' }] as const;
}

/** The fields that this user may edit now. */
export const editableOf = ({ editableFields }: OrderDetail): HeaderField[] =>
  NAMES.filter((name) => editableFields.includes(name));

/** The watched values of an order's header, by name. */
export function valuesOf(order: OrderDetail): Fields<Value> {
  const typed = NAMES.map((name) => [name, (order[HEADER_FIELDS[name].of] ?? null) as Value] as const);
  const originals = NEGOTIATED_ROWS.map(({ original }) => [original, order[original] ?? null] as const);
  return new Map<string, Value>([...typed, ['statusId', String(order.statusId)], ...originals]);
}

/** Name of the original that a field replies to. A reply typed to another original is a conflict, as in a cell. */
export const originalOf = (field: string): string | undefined =>
  HEADER_FIELDS[field as HeaderField]?.negotiated?.original;

export const mergeHeader = (draft: Draft<Value>, theirs: Fields<Value>): Merge<Value> =>
  merge(draft, theirs, originalOf);

/** True for text in a date field that is not a date. */
export const isUnread = (field: HeaderField, value: Value): boolean =>
  HEADER_FIELDS[field].input === 'date' && value !== null && readDate(value) === null;

/** Typed values as they are saved: text is trimmed, and blank text is null. */
export const trimmed = (mine: Fields<Value>): Fields<Value> =>
  new Map([...mine].map(([name, value]) => [name, value?.trim() || null]));

/** Request body for typed values. */
export const patchOf = (mine: Fields<Value>): HeaderPatch => Object.fromEntries(trimmed(mine));

/** The order as it will be after this patch is saved. */
export function orderWith(order: OrderDetail, patch: HeaderPatch): OrderDetail {
  const changed = (Object.entries(patch) as [HeaderField, Value][]).map(([name, to]) => [HEADER_FIELDS[name].of, to]);
  const next = { ...order, ...(Object.fromEntries(changed) as Partial<OrderDetail>) };
  const current = NEGOTIATED_ROWS.map((names) => [names.current, next[names.of] ?? next[names.original]]);
  return { ...next, ...(Object.fromEntries(current) as Partial<OrderDetail>) };
}

/** API errors of single fields, by name. The API sends clauses; here each becomes a sentence. */
export function fieldErrorsOf(error: unknown): Partial<Record<HeaderField, string>> {
  const errors = error instanceof ApiProblem ? (error.document?.errors ?? []) : [];
  return Object.fromEntries(
    (errors as components['schemas']['FieldError'][])
      .filter(({ in: place, pointer }) => place === 'body' && NAMES.some((name) => pointer === `/${name}`))
      .map(({ pointer, message }) => [pointer.slice(1), message.charAt(0).toUpperCase() + message.slice(1)]),
  );
}

/** The draft in its stored form; empty if nothing is typed. */
export const serializeDraft = ({ base, mine }: Draft<Value>): string =>
  mine.size === 0 ? '' : JSON.stringify({ base: [...base], mine: [...mine] });

/** Reads the fields of a stored draft that this version knows; null if there are none. Another portal version may have stored it. */
export function readDraft(text: string): Draft<Value> | null {
  try {
    const { base, mine } = JSON.parse(text) as Record<string, unknown>;
    if (!isEntries(base) || !isEntries(mine)) return null;
    const known = mine.filter(([name]) => Object.hasOwn(HEADER_FIELDS, name));
    // Otherwise the other fields would be reported as changed by others.
    const knownBase = base.filter(([name]) => WATCHED.has(name));
    return known.length === 0 ? null : { base: new Map(knownBase), mine: new Map(known) };
  } catch {
    return null;
  }
}

const isEntries = (value: unknown): value is [string, Value][] =>
  Array.isArray(value) &&
  value.every(
    (entry) =>
      Array.isArray(entry) &&
      entry.length === 2 &&
      typeof entry[0] === 'string' &&
      (entry[1] === null || typeof entry[1] === 'string'),
  );

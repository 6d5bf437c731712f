import { ApiProblem, type components } from '@po/client';
import type { OrderDetail } from '../../api/schemas.js';
import type { TERMS } from '../../language/terms.js';
import type { Draft, Fields } from '../conflict/three-way.js';

export type HeaderPatch = components['schemas']['HeaderPatch'];
export type HeaderField = keyof HeaderPatch;
export type Value = string | null;
type Term = keyof (typeof TERMS)['en'];

/** What of an order's head can be typed, by its name in requests; in this order. */
export const HEADER_FIELDS: Readonly<Record<HeaderField, { of: keyof OrderDetail; term: Term }>> = {
  vendor_reply_xfd: { of: 'vendorReplyXfd', term: 'vendorReplyXfd' },
  vendor_reply_factory: { of: 'vendorReplyFactory', term: 'vendorReplyFactory' },
  vendor_reply_comment: { of: 'vendorReplyComment', term: 'comment' },
  container_number: { of: 'containerNumber', term: 'container' },
  tracking_number: { of: 'trackingNumber', term: 'tracking' },
};
/** What else somebody who types must hear of when it changes, by its name in answers. */
export const WATCHED = { statusId: 'status', originalXfd: 'originalXfd', originalFactory: 'originalFactory' } as const;

const NAMES = Object.keys(HEADER_FIELDS) as HeaderField[];

/** Those of these fields that this user may type into now. */
export const editableOf = ({ editableFields }: OrderDetail): HeaderField[] =>
  NAMES.filter((name) => editableFields.includes(name));

/** What an order says in its head now, by name. */
export function valuesOf(order: OrderDetail): Fields<Value> {
  const typed = NAMES.map((name) => [name, order[HEADER_FIELDS[name].of] as Value] as const);
  const watched = Object.keys(WATCHED) as (keyof typeof WATCHED)[];
  return new Map([...typed, ...watched.map((name) => [name, textOf(order[name])] as const)]);
}

const textOf = (value: string | number | null): Value => (value === null ? null : String(value));

/** What is sent for what was typed. Spaces around it, and nothing but them, are none. */
export const patchOf = (mine: Fields<Value>): HeaderPatch =>
  Object.fromEntries([...mine].map(([name, value]) => [name, value?.trim() || null]));

/** The order as it will be once that is saved. */
export function orderWith(order: OrderDetail, patch: HeaderPatch): OrderDetail {
  const changed = (Object.entries(patch) as [HeaderField, Value][]).map(([name, to]) => [HEADER_FIELDS[name].of, to]);
  const next = { ...order, ...(Object.fromEntries(changed) as Partial<OrderDetail>) };
  return {
    ...next,
    xfDate: next.vendorReplyXfd ?? next.originalXfd,
    factory: next.vendorReplyFactory ?? next.originalFactory,
  };
}

/** What the API says of single fields of a request, by their name. It does so in clauses; alone each is a sentence. */
export function fieldErrorsOf(error: unknown): Partial<Record<HeaderField, string>> {
  const errors = error instanceof ApiProblem ? (error.document?.errors ?? []) : [];
  return Object.fromEntries(
    (errors as components['schemas']['FieldError'][])
      .filter(({ in: place, pointer }) => place === 'body' && NAMES.some((name) => pointer === `/${name}`))
      .map(({ pointer, message }) => [pointer.slice(1), message.charAt(0).toUpperCase() + message.slice(1)]),
  );
}

/** A draft as it is kept in the browser; empty where nothing is typed. */
export const written = ({ version, base, mine }: Draft<Value>): string =>
  mine.size === 0 ? '' : JSON.stringify({ version, base: [...base], mine: [...mine] });

/** What was written; null for anything else, such as what an older portal wrote. */
export function readDraft(text: string): Draft<Value> | null {
  try {
    const { version, base, mine } = JSON.parse(text) as Record<string, unknown>;
    if (!Number.isInteger(version) || !isEntries(base) || !isEntries(mine) || mine.length === 0) return null;
    return { version: version as number, base: new Map(base), mine: new Map(mine) };
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

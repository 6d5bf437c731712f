import type { Negotiated } from './order.js';
import { current } from './values.js';

export interface TakenIn<T> {
  value: Negotiated<T>;
  changed: boolean;
}

/**
 * Takes an incoming value in. It counts as a change unless it repeats what the source sent last, or echoes what was agreed and
 * the source has not changed the field since, nor taken its reply away by changing another row of the item. A change moves the original and, where replies still answer, drops the reply.
 */
export function takeIn<T>(value: Negotiated<T>, incoming: T, isAgreed: boolean, drop: boolean): TakenIn<T> {
  if (incoming === value.source) return { value, changed: false };
  const stands = !value.sourceChanged && (value.edited || current(value) === value.agreed);
  if (isAgreed && stands && incoming === value.agreed) {
    return { value: { ...value, source: incoming }, changed: false };
  }
  const next = moved(value, incoming);
  return { value: drop ? withoutReply(next) : next, changed: true };
}

/** A value that moved without being compared: a row that returns. */
export const moved = <T>(value: Negotiated<T>, incoming: T): Negotiated<T> => ({
  ...value,
  original: incoming,
  source: incoming,
  sourceChanged: true,
});

export const withoutReply = <T>(value: Negotiated<T>): Negotiated<T> => ({ ...value, reply: null, edited: false });

/** A value that only the source knows so far. */
export const fromSource = <T>(incoming: T): Negotiated<T> => ({
  original: incoming,
  source: incoming,
  reply: null,
  agreed: null,
  sourceChanged: false,
  edited: false,
});

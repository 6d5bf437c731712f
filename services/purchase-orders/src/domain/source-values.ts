import type { Negotiated } from './order.js';
import { current } from './values.js';

export interface AppliedValue<T> {
  value: Negotiated<T>;
  changed: boolean;
}

/**
 * Applies a value from the source. Repeating the source's last value, or the agreed value (an echo), is no change. The agreed value is no
 * echo any more after the source changed this field, or dropped its reply by changing another line of the item. A change sets the original;
 * `dropsReplies` says whether it also removes the reply, which depends on the status (`followsSource`).
 */
export function applySourceValue<T>(
  value: Negotiated<T>,
  incoming: T,
  isAgreed: boolean,
  dropsReplies: boolean,
): AppliedValue<T> {
  if (incoming === value.source) return { value, changed: false };
  const canEcho = !value.sourceChanged && (value.edited || current(value) === value.agreed);
  if (isAgreed && canEcho && incoming === value.agreed) {
    return { value: { ...value, source: incoming }, changed: false };
  }
  const next = withSourceValue(value, incoming);
  return { value: dropsReplies ? withoutReply(next) : next, changed: true };
}

/** Sets the source's value without comparing it, for a line that returns. */
export const withSourceValue = <T>(value: Negotiated<T>, incoming: T): Negotiated<T> => ({
  ...value,
  original: incoming,
  source: incoming,
  sourceChanged: true,
});

export const withoutReply = <T>(value: Negotiated<T>): Negotiated<T> => ({ ...value, reply: null, edited: false });

/** A value without reply or agreement. */
export const fromSource = <T>(incoming: T): Negotiated<T> => ({
  original: incoming,
  source: incoming,
  reply: null,
  agreed: null,
  sourceChanged: false,
  edited: false,
});

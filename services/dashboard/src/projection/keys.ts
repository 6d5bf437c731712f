import { SIGNALS } from '@po/contracts';

/**
 * Names in Redis. `current`: the generation that answers. `building`: the generation that a rebuild fills, only while there is no current
 * one. `lock`: the rebuilder's token. `<prefix>:probed`: probe of whether Redis accepts writes.
 * Keys of a generation g under `<prefix>:<g>:`: `orders` (poRef -> "version status vendor"), `counts` and `counts:<vendor>` (status ->
 * orders), `vendors` (vendor -> "epoch milliseconds name", the latest one), `feed` and `feed:<vendor>` (history ids by time), `entries`
 * (history id -> JSON), `positions` ("<topic>/<partition>" -> highest applied offset; with "/applied" -> number of applied records).
 * `changed`: stream of newer versions for gateways. Independent of generation and layout, because pods of two releases signal the same
 * gateways.
 */
export interface Keys {
  prefix: string;
  current: string;
  building: string;
  lock: string;
  changed: string;
}

// The braces put all keys into one slot of a Redis Cluster, where a script may access only one slot. The number is the version of the
// layout: a release with an incompatible layout increments it and builds its own projection next to that of the pods it replaces. It also
// needs a consumer group of its own, because in one group each record reaches one of the two layouts, and must remove the earlier keys.
const PREFIX = '{po-dashboard}:1';

export function keysUnder(prefix = PREFIX, changed: string = SIGNALS.orders.key): Keys {
  return { prefix, current: `${prefix}:current`, building: `${prefix}:building`, lock: `${prefix}:lock`, changed };
}

/** Suffix of a `counts` or `feed` key: that of all vendors, or of one vendor. */
export function scopeSuffix(vendorCode: string | null): string {
  return vendorCode === null ? '' : `:${vendorCode}`;
}

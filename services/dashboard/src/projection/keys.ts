import { SIGNALS } from '@po/contracts';

/**
 * Names in Redis. `current` holds the generation that answers, `building` the one that a rebuild fills, `lock` the rebuilder's
 * token; `<prefix>:probed` shows that writes are taken. Of a generation g, under `<prefix>:<g>:`: `orders` (poRef -> "version status
 * vendor"), `counts` and `counts:<vendor>` (status -> orders), `vendors` (vendor -> "epoch milliseconds name", the latest one), `feed`
 * and `feed:<vendor>` (history id by time), `entries` (history id -> JSON), `positions` ("<topic>/<partition>" -> highest offset taken,
 * with "/applied" -> how many records were).
 * `changed`: the stream by which gateways are told of newer versions, of no generation and no layout: pods of two releases tell the same
 * gateways.
 */
export interface Keys {
  prefix: string;
  current: string;
  building: string;
  lock: string;
  changed: string;
}

// The braces keep all keys in one slot of a Redis Cluster, where a script may touch one slot only. The number is the layout's: a
// release that stores what the one before cannot read counts it up, and builds its own projection beside that of the pods it replaces.
const PREFIX = '{po-dashboard}:1';

export function keysUnder(prefix = PREFIX, changed: string = SIGNALS.orders.key): Keys {
  return { prefix, current: `${prefix}:current`, building: `${prefix}:building`, lock: `${prefix}:lock`, changed };
}

/** The end of a `counts` or `feed` key: everybody's, or one vendor's. */
export function scopeSuffix(vendorCode: string | null): string {
  return vendorCode === null ? '' : `:${vendorCode}`;
}

/**
 * Redis streams that notify every gateway of changes. Best effort: capped, lost with Redis, and never the only source of a fact. All are in
 * one slot of a Redis Cluster, because the script of the dashboard's projection adds to the first, and one read covers both.
 */
export const SIGNALS = {
  /** A newer version of an order: `poRef`, `version`, `statusId`, `vendorCode`. */
  orders: { key: '{po-dashboard}:changed-orders', entries: 10_000 },
  /**
   * One of three kinds of entries. Changed inboxes: `users` has comma-separated user hashes, or ALL_USERS; the optional `deleted` has the
   * hashes of deleted users, whose next request is announced as if they were new. From a gateway, `caller`: the hash of a user who called
   * with a token of `issuedAt` (epoch seconds) as `identity`. A new message without its text: `posted` has its id, with `poRef`,
   * `vendorCode`, and `internal` if vendors must not know of it.
   */
  inboxes: { key: '{po-dashboard}:moved-inboxes', entries: 1_000 },
} as const;

/** Replaces user hashes if the changed inboxes are unknown. */
export const ALL_USERS = '*';

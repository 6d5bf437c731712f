/**
 * Streams in Redis by which services tell every gateway at once what moved. They are hints: capped, lost with Redis, and nothing is
 * known by them alone. One slot of a Redis Cluster: the script of the dashboard's projection adds to the first, one read takes both.
 */
export const SIGNALS = {
  /** An order's newer version: `poRef`, `version`, `statusId`, `vendorCode`. */
  orders: { key: '{po-dashboard}:changed-orders', entries: 10_000 },
  /**
   * Inboxes that may show something else now: `users`, their hashes separated by commas, or EVERYBODY. `deleted`, where it is there, are
   * those of users who were deleted: their next request is announced, as if they had never been here. Or, from a gateway, `caller`: the
   * hash of a user who called with a token of `issuedAt` (epoch seconds) as `identity`. Or
   * a new message, without its text: `posted`, its id, with `poRef`, `vendorCode`, and `internal` where no vendor may know of it.
   */
  inboxes: { key: '{po-dashboard}:moved-inboxes', entries: 1_000 },
} as const;

/** Instead of users: it is not known whose inboxes moved. */
export const EVERYBODY = '*';

/** Role of a deleted user, of whom no other data is kept. No token has it. */
export const DELETED_ROLE = '';

/**
 * SQL condition: a row describes its user by a newer token than the stored row with this alias or, with the same or an unknown issue time,
 * by a later call. Ignores an older token, however late it is used.
 */
export const isNewer = (known: string, issuedAt = 'excluded.issued_at', seenAt = 'excluded.seen_at'): string =>
  `CASE WHEN ${known}.issued_at <> ${issuedAt} THEN ${known}.issued_at < ${issuedAt} ELSE ${known}.seen_at < ${seenAt} END`;

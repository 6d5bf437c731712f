/**
 * Maximum age in days of an entry that still causes notifications; an older one counts as known. The topic keeps an entry for 30 days, the
 * dead-letter topic for another 30, and an entry that is redriven starts again.
 */
export const MAX_ENTRY_AGE_DAYS = 90;

/**
 * Minimum days for which the copy of an entry is kept to recognize it. Longer than MAX_ENTRY_AGE_DAYS, so that clock skew and delays do not
 * matter.
 */
export const ENTRY_RETENTION_DAYS = MAX_ENTRY_AGE_DAYS + 1;

/** Hours for which a repeated request with the same key gets the same answer. */
export const KEY_RETENTION_HOURS = 24;

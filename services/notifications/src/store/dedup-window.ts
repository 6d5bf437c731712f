/**
 * Days for which an entry may still be announced for the first time; an older one counts as known. The topic keeps an entry for 30
 * days and a dead letter for 30 more, and what was sent back is kept anew.
 */
export const ENTRY_TAKEN_DAYS = 90;

/** Days for which the copy of an entry is kept at least, by which it is known: longer, so that clocks and waits make no difference. */
export const ENTRY_KNOWN_DAYS = ENTRY_TAKEN_DAYS + 1;

/** Hours for which a request for a view is answered again under its key. */
export const KEY_KEPT_HOURS = 24;

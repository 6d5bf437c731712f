import { type Locale, NEGOTIATED, NEGOTIATED_FIELDS } from '@po/contracts';

const TAGS: Record<Locale, string> = { en: 'en-GB', zh: 'zh-CN' };
/** Fields that contain dates. Recognized by name, because a container may be called 1234-56-78. */
const DATE_FIELDS = new Set<string>(
  NEGOTIATED_FIELDS.flatMap((name) => {
    const { type, current, reply } = NEGOTIATED[name];
    return type === 'date' ? [current, reply] : [];
  }),
);

/** Shown with at least two decimals, as in the portal. */
const MONEY_FIELDS = new Set(['unitPrice', 'vendorReplyUnitPrice']);

/**
 * Replaces control characters, so that a header, cell or line remains a single one, and direction controls (UAX 9), which would reorder the
 * rest of the line. Limits the length as `atMost` does.
 */
export const truncate = (text: string, max: number): string =>
  atMost(text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim(), max);

/** Does the same for a text with several lines. */
export function truncateLines(text: string, max: number): string {
  const lines = text.replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n').replace(/[^\P{Cc}\n]/gu, ' ');
  return atMost(lines.replace(/\n{3,}/g, '\n\n').trim(), max);
}

// Limits UTF-16 code units. Each takes at most three bytes in a mail; four-byte characters are two units and are never split.
const atMost = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** A date and time in a user's time zone, with the name of the zone. */
export function instantIn(locale: Locale, timeZone: string, instant: string): string {
  return new Intl.DateTimeFormat(TAGS[locale], {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(new Date(instant));
}

/** A calendar date, which has no zone. */
export function dateIn(locale: Locale, date: string): string {
  return new Intl.DateTimeFormat(TAGS[locale], { timeZone: 'UTC', dateStyle: 'medium' }).format(new Date(date));
}

/** A changed field's value; a dash for null and empty text. */
export function valueIn(locale: Locale, field: string, value: string | number | null): string {
  if (value === null || value === '') return '–';
  if (typeof value === 'number') {
    const minimumFractionDigits = MONEY_FIELDS.has(field) ? 2 : 0;
    return value.toLocaleString(TAGS[locale], { minimumFractionDigits, maximumFractionDigits: 4 });
  }
  return DATE_FIELDS.has(field) ? dateIn(locale, value) : truncate(value, 60);
}

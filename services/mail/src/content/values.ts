import { type Locale, NEGOTIATED, NEGOTIATED_FIELDS } from '@po/contracts';

const TAGS: Record<Locale, string> = { en: 'en-GB', zh: 'zh-CN' };
/** Told by their names: a container may be called 1234-56-78. */
const DATE_FIELDS = new Set<string>(
  NEGOTIATED_FIELDS.flatMap((name) => {
    const { type, current, reply } = NEGOTIATED[name];
    return type === 'date' ? [current, reply] : [];
  }),
);

/** The portal shows them with two decimals or more. */
const MONEY_FIELDS = new Set(['unitPrice', 'vendorReplyUnitPrice']);

/**
 * Without control characters, so that a header, a cell and a line of text stay one, and without those of direction (UAX 9), which would turn
 * what follows in the line; at most as long as `atMost` has it.
 */
export const cut = (text: string, max: number): string =>
  atMost(text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim(), max);

/** The same of a text that may have several lines. */
export function cutLines(text: string, max: number): string {
  const lines = text.replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n').replace(/[^\P{Cc}\n]/gu, ' ');
  return atMost(lines.replace(/\n{3,}/g, '\n\n').trim(), max);
}

// In UTF-16, of which no unit takes more than three bytes of a mail: four-byte characters are two. None of them is cut in two.
const atMost = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** A date and time in a user's zone, with its name. */
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

/** A value of a field that changed; a dash where there is none. */
export function valueIn(locale: Locale, field: string, value: string | number | null): string {
  if (value === null || value === '') return '–';
  if (typeof value === 'number') {
    const minimumFractionDigits = MONEY_FIELDS.has(field) ? 2 : 0;
    return value.toLocaleString(TAGS[locale], { minimumFractionDigits, maximumFractionDigits: 4 });
  }
  return DATE_FIELDS.has(field) ? dateIn(locale, value) : cut(value, 60);
}

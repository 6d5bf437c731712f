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
const MONEY_FIELDS = new Set(['unitPrice', 'vendorReplyUnitPrice', 'amount']);

/** At most so many characters, without control characters: a header, a cell and a line of text stay one. */
export function cut(text: string, max: number): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`;
}

/** The same of a text that may have several lines. */
export function cutLines(text: string, max: number): string {
  const lines = text.replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n').replace(/[^\P{Cc}\n]/gu, ' ');
  const characters = Array.from(lines.replace(/\n{3,}/g, '\n\n').trim());
  return characters.length <= max ? characters.join('') : `${characters.slice(0, max - 1).join('')}…`;
}

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

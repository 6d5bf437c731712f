import { z } from 'zod';
import { MAX_PRICE, MAX_QTY } from '../limits.js';
import { localizedMessage } from './localized-message.js';

const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

// A text never has more code points than UTF-16 units, so the exact count is needed only for texts that could be too long.
const fits = (text: string, max: number): boolean => text.length <= max || Array.from(text).length <= max;

const UNSTORABLE = localizedMessage(
  'INVALID_TEXT',
  'must not contain NUL or lone surrogates',
  '不能包含 NUL 或单独的代理字符',
);

/**
 * A string of at most `max` code points (not UTF-16 units), without NUL or lone surrogates, which PostgreSQL cannot store. Transformations
 * of `string`, such as trimming, come first.
 */
export function text(max: number, string = z.string()): z.ZodString {
  const tooLong = localizedMessage('TOO_LONG', `must have at most ${max} characters`, `最多 ${max} 个字符`);
  // One check instead of two refinements, because an import has hundreds of texts per order.
  return string
    .check(({ value, issues }) => {
      if (!isStorable(value)) issues.push(issueOf(value, UNSTORABLE));
      if (!fits(value, max)) issues.push(issueOf(value, tooLong));
    })
    .meta({ maxLength: max });
}

/** Like `text`, with any length. */
export const textOfAnyLength = z.string().check(({ value, issues }) => {
  if (!isStorable(value)) issues.push(issueOf(value, UNSTORABLE));
});

const issueOf = (input: string, { error: message, params }: ReturnType<typeof localizedMessage>) => ({
  code: 'custom' as const,
  input,
  message,
  params,
  continue: true,
});

/** Like `text`, trimmed before it is measured. */
export const trimmedText = (max: number): z.ZodString => text(max, z.string().trim());

// Line terminators and other control characters, except NUL, which `text` rejects.
const MORE_THAN_A_LINE = /(?!\0)[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Like `trimmedText`, for values that are shown in one line. */
export const trimmedLine = (max: number): z.ZodString =>
  trimmedText(max).refine(
    (value) => !MORE_THAN_A_LINE.test(value),
    localizedMessage('NOT_ONE_LINE', 'must be one line without control characters', '必须是单行文本，不能包含控制字符'),
  );

// Characters below U+0300 are always in NFC, and testing is faster than normalizing.
const MAY_COMPOSE = /[^\0-\u02FF]/;

/** Like `trimmedText`, in Unicode NFC, so that different spellings are compared, measured and stored as the same text. */
export const comparedText = (max: number): z.ZodString =>
  text(
    max,
    z.string().overwrite((value) => {
      const trimmed = value.trim();
      return MAY_COMPOSE.test(trimmed) ? trimmed.normalize('NFC') : trimmed;
    }),
  );

/** An optional text: an empty one means "none" and becomes null. */
export const optionalText = (max: number, string = trimmedText(max)) =>
  string.nullable().transform((value) => value || null);

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** True for a `YYYY-MM-DD` date that exists in the calendar; no time zone is involved. */
function isCalendarDate(value: string): boolean {
  const [, year, month, day] = (DATE.exec(value) ?? []).map(Number);
  if (!year || !month || !day || month > 12) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** A calendar date `YYYY-MM-DD` of any year. */
export const DateOfAnyYear = z
  .string()
  .refine(isCalendarDate, {
    ...localizedMessage(
      'INVALID_DATE',
      'must be a real calendar date written YYYY-MM-DD',
      '必须是真实存在的日期，格式为 YYYY-MM-DD',
    ),
    abort: true,
  })
  .meta({ format: 'date' });

export const EARLIEST_DATE = '1900-01-01';

/** A calendar date `YYYY-MM-DD` from 1900 on. */
export const CalendarDate = DateOfAnyYear.refine(
  (value) => value >= EARLIEST_DATE,
  localizedMessage('INVALID_DATE', `must be a date from ${EARLIEST_DATE} on`, `日期不能早于 ${EARLIEST_DATE}`),
).meta({ format: 'date' });

/** An instant, RFC 3339 in UTC with `Z` and milliseconds. */
export const Instant = z.iso.datetime({ precision: 3 });

export const Currency = z
  .string()
  .refine(
    (code) => /^[A-Z]{3}$/.test(code),
    localizedMessage(
      'INVALID_CURRENCY',
      'must be an ISO 4217 code of three capital letters',
      '必须是 ISO 4217 货币代码，由三个大写字母组成',
    ),
  )
  .meta({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' });

/** Canonical PO numbers, which are also record keys and path references. */
const PO_REF = /^[A-Z0-9][A-Z0-9._-]{0,39}$/;
// Tested before the conversion to upper case, which would turn "ß" and "ı" into ASCII letters, so that they would match other PO numbers.
export const PO_REF_ANY_CASE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;
export const PoRef = z
  .string()
  .refine(
    (value) => PO_REF.test(value),
    localizedMessage(
      'INVALID_PO_NUMBER',
      'must be 1 to 40 characters of A-Z, 0-9, ".", "_" and "-", starting with a letter or digit',
      '必须是 1 到 40 个字符，由 A-Z、0-9、“.”、“_”和“-”组成，以字母或数字开头',
    ),
  )
  .meta({ pattern: PO_REF.source });

/** A PO number in a path, converted to its canonical form. */
export const PoRefInAnyCase = z
  .string()
  .regex(PO_REF_ANY_CASE)
  .toUpperCase()
  .describe('The PO number, in upper or lower case.');

/** The canonical PO number of a path segment (case-insensitive), or null if it is invalid. */
export function canonicalPoRef(segment: string): string | null {
  return PO_REF_ANY_CASE.test(segment) ? segment.toUpperCase() : null;
}

/** A price: above 0, at most 4 decimals, at most 9,999,999,999.9999. */
export const Price = priceOf(z.number().positive());

/** Like `Price`, or 0 for free of charge. */
export const SourcePrice = priceOf(z.number().min(0));

function priceOf(number: z.ZodNumber) {
  return number
    .max(MAX_PRICE)
    .refine(
      (value) => Math.round(value * 1e4) / 1e4 === value,
      localizedMessage('TOO_MANY_DECIMALS', 'must have at most 4 decimals', '最多 4 位小数'),
    );
}

/** A quantity in pieces. */
export const Qty = z.number().int().min(0).max(MAX_QTY);

import { z } from 'zod';
import type { Locale } from '../identity.js';
import {
  ERRORS,
  type ErrorCode,
  FieldError,
  MAX_FIELD_ERRORS,
  type ProblemError,
  problemPathOf,
} from '../validation/errors.js';
import { ImportError } from './spreadsheets.js';
import { ACTION_NAMES } from '../orders/statuses.js';

/** All error codes, in the order of `ERRORS`. */
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** RFC 9457: members of every error response. */
export const Problem = z
  .looseObject({
    type: z
      .string()
      .regex(/^\/problems\//)
      .describe('The path of the page that explains the error: the code in kebab case.'),
    title: z.string().min(1).describe('A short name of the error.'),
    status: z.int().min(400).describe('The HTTP status.'),
    detail: z.string().min(1).describe('A sentence for people, in English or Chinese by `Accept-Language`.'),
    instance: z.string().regex(/^\//).describe('The path of the request, without its query.'),
    code: z.enum(ERROR_CODES).describe('The error code for programs; it never changes.'),
    message: z.string().min(1).describe('The same as `detail`.'),
    success: z.literal(false).describe('Always `false`.'),
    requestId: z.string().min(1).describe('Quote it when you report a problem; the header `X-Request-Id` has it too.'),
  })
  .meta({ id: 'Problem', description: 'An error response (RFC 9457). Its code determines the additional members.' });

const errors = z
  .array(FieldError)
  .describe(
    'One entry per invalid value, at most 100: where it is (`in`, `pointer`), what is wrong (`code`), what is allowed (`message`).',
  );
const STATE = {
  currentStatusId: z.int().describe('The id of the status that the order is in now.'),
  currentStatus: z.string().describe('The English name of that status.'),
  allowedActions: z.array(z.enum(ACTION_NAMES)).describe('Actions that the caller may take instead.'),
};

/** Additional members of the problems of a code. */
const MEMBERS: Partial<Record<ErrorCode, z.ZodRawShape>> = {
  VALIDATION_FAILED: { errors },
  ROW_NOT_FOUND: { errors },
  USER_NOT_FOUND: { errors: errors.optional() },
  VALUE_OUT_OF_RANGE: { errors },
  TRANSITION_NOT_ALLOWED: STATE,
  PO_NOT_EDITABLE: { ...STATE, fields: z.array(z.string()).describe('Fields of the request that are locked.') },
  VERSION_MISMATCH: { currentVersion: z.int().describe('The current version; the header `ETag` has it too.') },
  IMPORT_INVALID: {
    errors: z
      .array(ImportError)
      .describe('One entry per error, at most 1,000, each with `row` (1 = labels) and `column`.'),
  },
  EXPORT_TOO_LARGE: {
    rows: z.int().describe('How many rows the file would have, counted up to 1,000,000.'),
    limit: z.int().describe('The highest allowed number.'),
  },
  TIMEOUT: {
    outcome: z.literal('unknown').optional().describe('Only for writes: it is unknown whether the write was done.'),
    idempotencyKey: z
      .string()
      .optional()
      .describe('Only for writes: repeat the request with this `Idempotency-Key` to learn the outcome.'),
  },
};

/** Members that a problem of this code has in addition to those of `Problem`. */
export const membersOf = (code: ErrorCode): z.ZodRawShape => MEMBERS[code] ?? {};
export type Problem = z.infer<typeof Problem>;

/** Renders an error in the caller's language. `instance` is the path without its query. */
export function problemDocument(
  { code, members, options, status }: ProblemError,
  { locale, instance, requestId }: { locale: Locale; instance: string; requestId: string },
): Problem & { errors?: FieldError[] } {
  const { title, detail: textOf } = ERRORS[code];
  const detail = textOf({ ...members, ...options.hidden })[locale];
  const errors = options.errors
    ?.slice(0, MAX_FIELD_ERRORS)
    .map((error) => ({ ...error, message: error.message[locale] }));
  return {
    type: problemPathOf(code),
    title: title[locale],
    status,
    detail,
    instance,
    code,
    message: detail,
    success: false,
    requestId,
    ...(errors && { errors }),
    ...members,
  };
}

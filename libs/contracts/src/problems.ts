import { z } from 'zod';
import { ERRORS, type ErrorCode } from './errors.js';
import { ImportError } from './spreadsheets.js';
import { ACTION_NAMES } from './statuses.js';

const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

const FieldError = z
  .object({
    in: z.enum(['body', 'query', 'path', 'header']),
    pointer: z
      .string()
      .describe(
        'JSON Pointer into the body (`/lines/3/vendorReplyQty`), or `/` and the name of a parameter or header.',
      ),
    code: z.string().regex(/^[A-Z_]+$/),
    message: z.string().min(1).describe('What is allowed, in the language of the problem.'),
  })
  .meta({ id: 'FieldError', description: 'What is wrong with one value of a request.' });

/** RFC 9457: what every refusal says, whatever its code. */
export const Problem = z
  .looseObject({
    type: z
      .string()
      .regex(/^\/problems\//)
      .describe('The code in kebab case.'),
    title: z.string().min(1),
    status: z.int().min(400).describe('The HTTP status.'),
    detail: z.string().min(1).describe('A sentence for people, in English or Chinese by `Accept-Language`.'),
    instance: z.string().regex(/^\//).describe('The path of the request, without its query.'),
    code: z.enum(ERROR_CODES).describe('For programs; it never changes.'),
    message: z.string().min(1).describe('The same as `detail`.'),
    success: z.literal(false),
    requestId: z.string().min(1).describe('Quote it when you report a problem; the header `X-Request-Id` has it too.'),
  })
  .meta({ id: 'Problem', description: 'A refusal as RFC 9457 has it. Its code says which further members there are.' });

const errors = z.array(FieldError).describe('One entry a value, at most 100.');
const STATE = {
  currentStatusId: z.int(),
  currentStatus: z.string(),
  allowedActions: z.array(z.enum(ACTION_NAMES)).describe('What the caller may do instead.'),
};

/** What the problems of a code have beside the members of all. */
const MEMBERS: Partial<Record<ErrorCode, z.ZodRawShape>> = {
  VALIDATION_FAILED: { errors },
  ROW_NOT_FOUND: { errors },
  VALUE_OUT_OF_RANGE: { errors },
  TRANSITION_NOT_ALLOWED: STATE,
  PO_NOT_EDITABLE: { ...STATE, fields: z.array(z.string()).describe('Those of the request that are locked.') },
  VERSION_MISMATCH: { currentVersion: z.int() },
  IMPORT_INVALID: { errors: z.array(ImportError).describe('Each row and column, at most 1,000.') },
  EXPORT_TOO_LARGE: { rows: z.int(), limit: z.int() },
  TIMEOUT: {
    outcome: z.literal('unknown').optional().describe('Of a write alone: whether it was done is not known.'),
    idempotencyKey: z
      .string()
      .optional()
      .describe('Of a write alone: sent as `Idempotency-Key`, it tells the outcome.'),
  },
};

/** What a problem of this code has beside the members of every `Problem`. */
export const membersOf = (code: ErrorCode): z.ZodRawShape => MEMBERS[code] ?? {};
export type Problem = z.infer<typeof Problem>;

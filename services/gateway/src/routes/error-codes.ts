import { ERROR_CODES, type ErrorCode } from '@po/contracts';
import { z } from 'zod';
import type { Operation } from './operation.js';

const OF_EVERY_OPERATION: readonly ErrorCode[] = [
  'VALIDATION_FAILED',
  'BAD_REQUEST',
  'TOKEN_MISSING',
  'TOKEN_INVALID',
  'TOKEN_EXPIRED',
  'ROLE_NOT_ALLOWED',
  'VENDOR_NOT_LINKED',
  'RATE_LIMITED',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
  'UNAVAILABLE',
  'TIMEOUT',
];
const OF_CONDITIONS: Record<Operation['conditions'], readonly ErrorCode[]> = {
  none: [],
  read: [],
  key: ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'],
  write: ['IDEMPOTENCY_IN_PROGRESS', 'VERSION_MISMATCH', 'IDEMPOTENCY_KEY_REUSED'],
};

/** All error codes of an operation, in the order of `ERRORS`. */
export function errorCodesOf({ params, body, conditions, refusals }: Operation): ErrorCode[] {
  const possible = new Set<ErrorCode>([
    ...OF_EVERY_OPERATION,
    ...Object.values(params).map(({ refusal }) => refusal),
    ...(body === null ? [] : (['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'TOO_MANY_UPLOADS'] as const)),
    ...(body instanceof z.ZodType ? (['MALFORMED_JSON'] as const) : []),
    ...OF_CONDITIONS[conditions],
    ...refusals,
  ]);
  return ERROR_CODES.filter((code) => possible.has(code));
}

import { type ErrorCode, type FieldRefusal, ProblemError } from '@po/contracts';

/** An example of a refused request. */
export interface ProblemSample {
  method: string;
  /** Path of the request. */
  instance: string;
  problem: ProblemError;
}

const ORDER = '/api/purchase-orders/PO-4500018201';

const sample = (
  request: `${string} ${string}`,
  code: ErrorCode,
  members: Record<string, unknown> = {},
  options: ProblemError['options'] = {},
): ProblemSample => {
  const [method = '', instance = ''] = request.split(' ');
  return { method, instance, problem: new ProblemError(code, members, options) };
};

const after = (seconds: number) => ({ headers: { 'retry-after': String(seconds) } });
const challenge = (error: string) => ({
  headers: { 'www-authenticate': `Bearer realm="po-collaboration"${error}` },
});
const refused = (pointer: string, code: string, en: string, zh: string): { errors: FieldRefusal[] } => ({
  errors: [{ in: 'body', pointer, code, message: { en, zh } }],
});

const PENDING = { currentStatusId: 200, currentStatus: 'Pending Approval', allowedActions: ['RECALL'] };
const HIDDEN = { currentStatusZh: '待审批' };

/** An example for each code, as the service answers it. */
export const SAMPLES: Record<ErrorCode, ProblemSample> = {
  VALIDATION_FAILED: sample(
    `PATCH ${ORDER}`,
    'VALIDATION_FAILED',
    {},
    refused(
      '/vendor_reply_xfd',
      'INVALID_DATE',
      'must be a real calendar date written YYYY-MM-DD',
      '必须是真实存在的日期，格式为 YYYY-MM-DD',
    ),
  ),
  MALFORMED_JSON: sample(`PATCH ${ORDER}`, 'MALFORMED_JSON'),
  BAD_REQUEST: sample('GET /', 'BAD_REQUEST'),
  TOKEN_MISSING: sample('GET /api/me', 'TOKEN_MISSING', {}, challenge('')),
  TOKEN_INVALID: sample('GET /api/me', 'TOKEN_INVALID', {}, challenge(', error="invalid_token"')),
  TOKEN_EXPIRED: sample('GET /api/me', 'TOKEN_EXPIRED', {}, challenge(', error="invalid_token"')),
  ROLE_NOT_ALLOWED: sample(`POST ${ORDER}/transition`, 'ROLE_NOT_ALLOWED', {}, { hidden: { roles: 'BUYER, ADMIN' } }),
  VENDOR_NOT_LINKED: sample('GET /api/me', 'VENDOR_NOT_LINKED'),
  PO_NOT_FOUND: sample('GET /api/purchase-orders/PO-1', 'PO_NOT_FOUND'),
  NOTIFICATION_NOT_FOUND: sample('PUT /api/notifications/4711/read', 'NOTIFICATION_NOT_FOUND'),
  POLICY_NOT_FOUND: sample('DELETE /api/approval-policies/CRANE', 'POLICY_NOT_FOUND'),
  MESSAGE_NOT_FOUND: sample(`GET ${ORDER}/messages/01981d2a-6f3e-7c41-9b58-2f6a0c7de914`, 'MESSAGE_NOT_FOUND'),
  USER_NOT_FOUND: sample(
    `POST ${ORDER}/messages`,
    'USER_NOT_FOUND',
    {},
    {
      ...refused(
        '/mentions/0',
        'USER_NOT_FOUND',
        'is not a participant of this order, or may not read the message',
        '不是该订单中可阅读此消息的参与者',
      ),
      hidden: { mentioned: 'yes' },
    },
  ),
  SUPPRESSION_NOT_FOUND: sample('DELETE /api/mail/suppressions/li%40example.com', 'SUPPRESSION_NOT_FOUND'),
  VIEW_NOT_FOUND: sample('DELETE /api/views/v-4711', 'VIEW_NOT_FOUND'),
  ROUTE_NOT_FOUND: sample('GET /api/purchase-order', 'ROUTE_NOT_FOUND'),
  METHOD_NOT_ALLOWED: sample(
    'DELETE /api/me',
    'METHOD_NOT_ALLOWED',
    {},
    {
      headers: { allow: 'GET, HEAD' },
      hidden: { allow: 'GET, HEAD' },
    },
  ),
  TRANSITION_NOT_ALLOWED: sample(`POST ${ORDER}/transition`, 'TRANSITION_NOT_ALLOWED', PENDING, {
    hidden: { ...HIDDEN, action: 'SUBMIT' },
  }),
  PO_NOT_EDITABLE: sample(
    `PATCH ${ORDER}`,
    'PO_NOT_EDITABLE',
    { fields: ['vendor_reply_xfd'], ...PENDING },
    { hidden: HIDDEN },
  ),
  IDEMPOTENCY_IN_PROGRESS: sample(`POST ${ORDER}/transition`, 'IDEMPOTENCY_IN_PROGRESS', {}, after(1)),
  VERSION_MISMATCH: sample(`PATCH ${ORDER}`, 'VERSION_MISMATCH', { currentVersion: 7 }, { headers: { etag: '"7"' } }),
  BODY_TOO_LARGE: sample(`PATCH ${ORDER}/line-items`, 'BODY_TOO_LARGE', {}, { hidden: { limit: '1,048,576' } }),
  UNSUPPORTED_MEDIA_TYPE: sample(
    `PATCH ${ORDER}`,
    'UNSUPPORTED_MEDIA_TYPE',
    {},
    { hidden: { accepted: 'application/json' } },
  ),
  ROW_NOT_FOUND: sample(
    `PATCH ${ORDER}/line-items`,
    'ROW_NOT_FOUND',
    {},
    refused('/lines/0/rowHash', 'ROW_NOT_FOUND', 'is not a row of this order', '不是该订单的行'),
  ),
  VALUE_OUT_OF_RANGE: sample(
    `PATCH ${ORDER}`,
    'VALUE_OUT_OF_RANGE',
    {},
    refused(
      '/vendor_reply_xfd',
      'BEFORE_PO_DATE',
      'must not be before the order date 2026-01-05',
      '不能早于下单日期 2026-01-05',
    ),
  ),
  COMMENT_REQUIRED: sample(`POST ${ORDER}/transition`, 'COMMENT_REQUIRED', {}, { hidden: { action: 'REJECT' } }),
  IDEMPOTENCY_KEY_REUSED: sample(`POST ${ORDER}/transition`, 'IDEMPOTENCY_KEY_REUSED'),
  EXPORT_TOO_LARGE: sample('GET /api/purchase-order-exports', 'EXPORT_TOO_LARGE', { rows: 61_234, limit: 50_000 }),
  IMPORT_INVALID: sample(`POST ${ORDER}/line-items/import`, 'IMPORT_INVALID', {
    errors: [
      {
        row: 3,
        column: 'Reply Qty',
        code: 'INVALID_VALUE',
        message: 'must be a whole number',
        messageZh: '必须是整数',
      },
    ],
  }),
  TOO_MANY_VIEWS: sample('POST /api/views', 'TOO_MANY_VIEWS', {}, { hidden: { limit: 50 } }),
  RATE_LIMITED: sample('GET /api/purchase-orders', 'RATE_LIMITED', {}, { ...after(17), hidden: { retryAfter: 17 } }),
  TOO_MANY_STREAMS: sample(
    'GET /api/notifications/stream',
    'TOO_MANY_STREAMS',
    {},
    { ...after(10), hidden: { limit: 5 } },
  ),
  TOO_MANY_EXPORTS: sample(
    'GET /api/purchase-order-exports',
    'TOO_MANY_EXPORTS',
    {},
    { ...after(10), hidden: { limit: 2 } },
  ),
  TOO_MANY_UPLOADS: sample(
    `POST ${ORDER}/line-items/import`,
    'TOO_MANY_UPLOADS',
    {},
    { ...after(10), hidden: { limit: 2 } },
  ),
  HEADERS_TOO_LARGE: sample('GET /', 'HEADERS_TOO_LARGE'),
  INTERNAL: sample('GET /api/dashboard/kpis', 'INTERNAL'),
  UNAVAILABLE: sample('GET /api/purchase-orders', 'UNAVAILABLE', {}, after(2)),
  TIMEOUT: sample(`POST ${ORDER}/transition`, 'TIMEOUT', {
    outcome: 'unknown',
    idempotencyKey: 'e7a1f6a2-5d0c-4b1e-9c55-0f3f9d1b7c21',
  }),
};

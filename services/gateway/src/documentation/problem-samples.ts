import { type ErrorCode, type FieldRefusal, ProblemError } from '@po/contracts';

/** An example of a refused request. */
export interface ProblemSample {
  method: string;
  /** Path of the request. */
  instance: string;
  problem: ProblemError;
}

const ORDER = '/api/purchase-orders/PO-4500018201';

const after = (seconds: number) => ({ headers: { 'retry-after': String(seconds) } });
const challenge = (error: string) => ({
  headers: { 'www-authenticate': `Bearer realm="po-collaboration"${error}` },
});
const refused = (pointer: string, code: string, en: string, zh: string): { errors: FieldRefusal[] } => ({
  errors: [{ in: 'body', pointer, code, message: { en, zh } }],
});

const PENDING = { currentStatusId: 200, currentStatus: 'Pending Approval', allowedActions: ['RECALL'] };
const HIDDEN = { currentStatusZh: '待审批' };

/** The request of each refusal, and what its answer has besides the code. */
const REFUSALS: Record<
  ErrorCode,
  [request: `${string} ${string}`, more?: ProblemError['options'] & { members?: Record<string, unknown> }]
> = {
  VALIDATION_FAILED: [
    `PATCH ${ORDER}`,
    refused(
      '/vendor_reply_xfd',
      'INVALID_DATE',
      'must be a real calendar date written YYYY-MM-DD',
      '必须是真实存在的日期，格式为 YYYY-MM-DD',
    ),
  ],
  MALFORMED_JSON: [`PATCH ${ORDER}`],
  BAD_REQUEST: ['GET /'],
  TOKEN_MISSING: ['GET /api/me', challenge('')],
  TOKEN_INVALID: ['GET /api/me', challenge(', error="invalid_token"')],
  TOKEN_EXPIRED: ['GET /api/me', challenge(', error="invalid_token"')],
  ROLE_NOT_ALLOWED: [`POST ${ORDER}/transition`, { hidden: { roles: 'BUYER, ADMIN' } }],
  VENDOR_NOT_LINKED: ['GET /api/me'],
  PO_NOT_FOUND: ['GET /api/purchase-orders/PO-1'],
  NOTIFICATION_NOT_FOUND: ['PUT /api/notifications/4711/read'],
  POLICY_NOT_FOUND: ['DELETE /api/approval-policies/CRANE'],
  MESSAGE_NOT_FOUND: [`GET ${ORDER}/messages/01981d2a-6f3e-7c41-9b58-2f6a0c7de914`],
  USER_NOT_FOUND: [
    `POST ${ORDER}/messages`,
    {
      ...refused(
        '/mentions/0',
        'USER_NOT_FOUND',
        'is not a participant of this order, or may not read the message',
        '不是该订单中可阅读此消息的参与者',
      ),
      hidden: { mentioned: 'yes' },
    },
  ],
  SUPPRESSION_NOT_FOUND: ['DELETE /api/mail/suppressions/li%40example.com'],
  VIEW_NOT_FOUND: ['DELETE /api/views/v-4711'],
  ROUTE_NOT_FOUND: ['GET /api/purchase-order'],
  METHOD_NOT_ALLOWED: ['DELETE /api/me', { headers: { allow: 'GET, HEAD' }, hidden: { allow: 'GET, HEAD' } }],
  TRANSITION_NOT_ALLOWED: [`POST ${ORDER}/transition`, { members: PENDING, hidden: { ...HIDDEN, action: 'SUBMIT' } }],
  PO_NOT_EDITABLE: [`PATCH ${ORDER}`, { members: { fields: ['vendor_reply_xfd'], ...PENDING }, hidden: HIDDEN }],
  IDEMPOTENCY_IN_PROGRESS: [`POST ${ORDER}/transition`, after(1)],
  VERSION_MISMATCH: [`PATCH ${ORDER}`, { members: { currentVersion: 7 }, headers: { etag: '"7"' } }],
  BODY_TOO_LARGE: [`PATCH ${ORDER}/line-items`, { hidden: { limit: '1,048,576' } }],
  UNSUPPORTED_MEDIA_TYPE: [`PATCH ${ORDER}`, { hidden: { accepted: 'application/json' } }],
  ROW_NOT_FOUND: [
    `PATCH ${ORDER}/line-items`,
    refused('/lines/0/rowHash', 'ROW_NOT_FOUND', 'is not a row of this order', '不是该订单的行'),
  ],
  VALUE_OUT_OF_RANGE: [
    `PATCH ${ORDER}`,
    refused(
      '/vendor_reply_xfd',
      'BEFORE_PO_DATE',
      'must not be before the order date 2026-01-05',
      '不能早于下单日期 2026-01-05',
    ),
  ],
  COMMENT_REQUIRED: [`POST ${ORDER}/transition`, { hidden: { action: 'REJECT' } }],
  IDEMPOTENCY_KEY_REUSED: [`POST ${ORDER}/transition`],
  EXPORT_TOO_LARGE: ['GET /api/purchase-order-exports', { members: { rows: 61_234, limit: 50_000 } }],
  IMPORT_INVALID: [
    `POST ${ORDER}/line-items/import`,
    {
      members: {
        errors: [
          {
            row: 3,
            column: 'Reply Qty',
            code: 'INVALID_VALUE',
            message: 'must be a whole number',
            messageZh: '必须是整数',
          },
        ],
      },
    },
  ],
  TOO_MANY_VIEWS: ['POST /api/views', { hidden: { limit: 50 } }],
  RATE_LIMITED: ['GET /api/purchase-orders', { ...after(17), hidden: { retryAfter: 17 } }],
  TOO_MANY_STREAMS: ['GET /api/notifications/stream', { ...after(10), hidden: { limit: 5 } }],
  TOO_MANY_EXPORTS: ['GET /api/purchase-order-exports', { ...after(10), hidden: { limit: 2 } }],
  TOO_MANY_UPLOADS: [`POST ${ORDER}/line-items/import`, { ...after(10), hidden: { limit: 2 } }],
  HEADERS_TOO_LARGE: ['GET /'],
  INTERNAL: ['GET /api/dashboard/kpis'],
  UNAVAILABLE: ['GET /api/purchase-orders', after(2)],
  TIMEOUT: [
    `POST ${ORDER}/transition`,
    { members: { outcome: 'unknown', idempotencyKey: 'e7a1f6a2-5d0c-4b1e-9c55-0f3f9d1b7c21' } },
  ],
};

/** An example for each code, as the service answers it. */
export const SAMPLES = Object.fromEntries(
  Object.entries(REFUSALS).map(([code, [request, { members, ...options } = {}]]): [string, ProblemSample] => {
    const [method = '', instance = ''] = request.split(' ');
    return [code, { method, instance, problem: new ProblemError(code as ErrorCode, members, options) }];
  }),
) as Record<ErrorCode, ProblemSample>;

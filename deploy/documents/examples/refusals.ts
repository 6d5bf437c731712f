import type { ErrorCode } from '@po/contracts';
import { type ExampleRequest, IDEMPOTENCY_KEY, PO_REF, VIEW } from './requests.js';

const MIB = 1_048_576;
const KIB = 1024;

const vendor = { as: 'vendor:CRANE' } as const;
const read = { ...vendor, operation: 'getPurchaseOrder', params: { poRef: PO_REF } } as const;
const edit = { ...read, operation: 'updatePurchaseOrder' } as const;
const editLines = { ...read, operation: 'updateLineItems' } as const;
const transition = { ...read, operation: 'executeTransition' } as const;

/** Request that causes each error code, sent after all of `ANSWERED`. Missing codes cannot be caused on demand. */
const CAUSES: Partial<Record<ErrorCode, Omit<ExampleRequest, 'of'>>> = {
  VALIDATION_FAILED: { ...transition, body: { action: 'SUBMT', coment: 'as agreed by telephone' } },
  MALFORMED_JSON: { ...transition, body: '{"action":"SUBMIT"' },
  TOKEN_MISSING: { ...read, as: null },
  TOKEN_INVALID: { ...read, as: null, token: 'no.good.token' },
  TOKEN_EXPIRED: { ...read, claims: { iat: 1_700_000_000, exp: 1_700_003_600 } },
  ROLE_NOT_ALLOWED: { ...transition, as: 'viewer', body: { action: 'APPROVE' } },
  VENDOR_NOT_LINKED: { ...read, claims: { vendor_code: null } },
  PO_NOT_FOUND: { ...read, params: { poRef: 'PO-4500018201' } },
  NOTIFICATION_NOT_FOUND: { ...vendor, operation: 'markNotificationRead', params: { id: 'n-1' } },
  POLICY_NOT_FOUND: { as: 'admin', operation: 'deleteApprovalPolicy', params: { name: 'EMBER' } },
  MESSAGE_NOT_FOUND: {
    ...read,
    operation: 'getMessage',
    params: { poRef: PO_REF, messageId: '01981d2a-6f3e-7c41-9b58-2f6a0c7de914' },
  },
  SUPPRESSION_NOT_FOUND: { as: 'admin', operation: 'deleteSuppression', params: { address: 'li@example.com' } },
  USER_NOT_FOUND: { as: 'admin', operation: 'deleteUser', params: { userId: 'u-4711' } },
  VIEW_NOT_FOUND: { ...vendor, operation: 'deleteView', params: { id: VIEW } },
  ROUTE_NOT_FOUND: { ...read, path: '/orders' },
  METHOD_NOT_ALLOWED: { ...read, method: 'DELETE' },
  TRANSITION_NOT_ALLOWED: { ...transition, body: { action: 'RECALL' } },
  PO_NOT_EDITABLE: {
    ...edit,
    params: { poRef: 'PO-4500018210' },
    body: { vendor_reply_factory: 'Hai Phong B' },
  },
  VERSION_MISMATCH: { ...edit, headers: { 'If-Match': '"1"' }, body: { vendor_reply_factory: 'Hai Phong B' } },
  BODY_TOO_LARGE: { ...edit, body: ' '.repeat(MIB + 1) },
  UNSUPPORTED_MEDIA_TYPE: { ...edit, headers: { 'Content-Type': 'text/plain' }, body: 'factory: Hai Phong B' },
  ROW_NOT_FOUND: { ...editLines, body: { lines: [{ rowHash: 'f'.repeat(32), vendorReplyQty: 10 }] } },
  VALUE_OUT_OF_RANGE: { ...edit, body: { vendor_reply_xfd: '2001-01-31' } },
  IMPORT_INVALID: {
    ...read,
    operation: 'importLineItems',
    headers: { 'content-type': 'text/csv' },
    body: `Row ID,Reply Qty\r\n${'f'.repeat(32)},10\r\n,ten\r\n`,
  },
  IDEMPOTENCY_KEY_REUSED: {
    ...transition,
    headers: { 'Idempotency-Key': IDEMPOTENCY_KEY },
    body: { action: 'SUBMIT', comment: 'Another comment' },
  },
  TOO_MANY_STREAMS: { ...vendor, operation: 'streamNotifications', opened: 5 },
  HEADERS_TOO_LARGE: { ...read, headers: { 'X-Note': 'x'.repeat(17 * KIB) } },
};

export const REFUSED: readonly ExampleRequest[] = Object.entries(CAUSES).map(([code, cause]) => ({
  of: code as ErrorCode,
  ...cause,
}));

import { type ApprovalPolicy, ERRORS, type ErrorCode } from '@po/contracts';
import type { OPERATIONS } from '@po/gateway/dist/routes/operations.js';
import type { DemoUserName } from '#local/demo/users.js';
import { TODAY, daysAfter } from './dates.js';

/** A request to the demo stack whose response is an example. Its dates are relative to the day of the examples. */
export interface ExampleRequest {
  /** The response is an example of this successful operation or error code; null if the request only prepares later ones. */
  of: keyof typeof OPERATIONS | ErrorCode | null;
  operation: keyof typeof OPERATIONS;
  as: DemoUserName | null;
  /** Overridden claims of the token; null removes a claim. */
  claims?: Record<string, unknown>;
  /** Sent instead of a valid token. */
  token?: string;
  params?: Record<string, string>;
  /** Path parameter that gets the id from the response of an earlier example. */
  idOf?: { param: string; of: keyof typeof OPERATIONS };
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Strings are sent unchanged, other values as JSON. */
  body?: unknown;
  /** Replaces the method of the operation. */
  method?: 'DELETE';
  path?: string;
  /** Number of live streams that are already open. */
  opened?: number;
  /** Maximum number of list elements or text lines in the example. */
  shown?: number;
  /** Filter of list elements, because other users may write on the same stack. */
  only?: (element: never) => boolean;
  /** Condition to wait for, because some responses reflect a write only after a delay. */
  until?: (body: never) => boolean;
}

/** Whether the example is an error code. */
export const isCode = (of: string): of is ErrorCode => Object.hasOwn(ERRORS, of);

/** A new order of CRANE. Only the examples change orders of this vendor, so its counts and lists are the same on every demo stack. */
export const PO_REF = 'PO-4500018203';
/** Row hashes of sizes M and L of the order's first line item. */
const [M, L] = ['0eda2f5f625fd5434744485ae2907737', '20795d65328938efe3c2e021ef9a7f8d'];

const vendor = { as: 'vendor:CRANE' } as const;
const order = { ...vendor, params: { poRef: PO_REF } };
/** An order on which both sides have agreed. */
const CONFIRMED = 'PO-4500018213';
export const IDEMPOTENCY_KEY = 'e6b7f0d2-5a0f-4a1e-9d34-3f1a8f1f0c11';
/** View id in the document; the real id differs on each stack. */
export const VIEW = 'b6395552-9bd5-8ebe-af77-714bb9ef5df0';
/** A viewer who left the company. */
const LEFT = 'demo-former-viewer';
/** A vendor without orders. */
const NEW_VENDOR = 'DELTA';
const SUBMIT = { action: 'SUBMIT', comment: 'Please confirm ten more days for the dyeing' };

const isRejection = ([newest]: { poRef: string; action: string }[]): boolean =>
  newest?.poRef === PO_REF && newest.action === 'REJECT';

/** The order matters: each request depends on the effects of the previous ones. */
const REQUESTS: readonly (Omit<ExampleRequest, 'of'> & { of?: null })[] = [
  { operation: 'getCurrentUser', ...vendor },
  // Registers the user in the user directory long before the user is deleted.
  { of: null, operation: 'getCurrentUser', as: 'viewer', claims: { sub: LEFT } },
  { operation: 'getFilters', ...vendor },
  { operation: 'listAvailableActions', ...vendor, query: { statusId: '100', role: 'VENDOR' } },
  { operation: 'getKpis', ...vendor },
  { operation: 'getSchedule', ...vendor },
  {
    operation: 'listPurchaseOrders',
    ...vendor,
    query: { status: 'New,In Revision', sortField: 'amount', sortDir: 'desc', limit: '1' },
  },
  { operation: 'getPurchaseOrder', ...order },
  { operation: 'listLineItems', ...order, shown: 1 },
  {
    operation: 'updatePurchaseOrder',
    ...order,
    body: { vendor_reply_xfd: daysAfter(TODAY, 78), vendor_reply_comment: 'Dyeing is booked ten days later' },
  },
  {
    operation: 'updateLineItems',
    ...order,
    shown: 1,
    body: {
      lines: [
        { rowHash: M, vendorReplyQty: 260 },
        { rowHash: L, vendorReplyQty: 180, vendorReplyUnitPrice: 13.75 },
      ],
    },
  },
  {
    operation: 'importLineItems',
    ...order,
    query: { dryRun: 'true' },
    headers: { 'content-type': 'text/csv' },
    body: `Row ID,Reply Qty,Reply Price\r\n${M},240,\r\n${L},,13.9\r\n`,
  },
  { operation: 'exportPurchaseOrders', ...vendor, query: { format: 'csv', level: 'lines', status: 'New' }, shown: 4 },
  { operation: 'getDiff', ...order },
  { operation: 'executeTransition', ...order, headers: { 'Idempotency-Key': IDEMPOTENCY_KEY }, body: SUBMIT },
  {
    of: null,
    operation: 'executeTransition',
    ...order,
    as: 'buyer',
    body: { action: 'REJECT', comment: 'Five days at most, please' },
  },
  { operation: 'getHistory', ...order, shown: 2 },
  { operation: 'listParticipants', ...order, query: { q: 'dana' }, until: ({ length }: unknown[]) => length === 1 },
  {
    operation: 'postMessage',
    ...order,
    body: { body: 'Dana, can you take 20 pieces less in M? The fabric is short.', rows: [M], mentions: ['demo-buyer'] },
  },
  { operation: 'listMessages', ...order, query: { limit: '1' } },
  { operation: 'getMessage', ...order, idOf: { param: 'messageId', of: 'postMessage' } },
  { operation: 'listNotifications', ...vendor, query: { unread: 'true', limit: '1' }, until: isRejection },
  { operation: 'getRecentActivity', ...vendor, shown: 1, until: isRejection },
  {
    operation: 'executeTransitions',
    ...vendor,
    body: {
      items: [
        { poRef: CONFIRMED, action: 'MOVE_TO_PRODUCTION' },
        { poRef: PO_REF, action: 'SUBMIT', comment: 'Five days it is', version: 4 },
      ],
    },
  },
  { operation: 'markNotificationRead', ...vendor, params: { id: 'all' } },
  { operation: 'getPreferences', ...vendor },
  {
    operation: 'replacePreferences',
    ...vendor,
    headers: { 'If-Match': '"1"' },
    body: {
      locale: 'en',
      timeZone: 'Asia/Ho_Chi_Minh',
      mail: { TRANSITION: 'digest', MESSAGE: 'now', REMINDER: 'off' },
      digestAt: '07:30',
    },
  },
  {
    operation: 'createView',
    ...vendor,
    headers: { 'Idempotency-Key': '0b5c1a52-5f0e-4b53-9a55-6d3c7f1e2a10' },
    body: {
      name: 'Late replies',
      query: { due: 'REPLY_DUE', sortField: 'xfDate', sortDir: 'asc' },
      columns: ['poNumber', 'xfDate', 'amount'],
      shared: true,
    },
  },
  { operation: 'listViews', ...vendor },
  {
    operation: 'replaceView',
    ...vendor,
    params: { id: VIEW },
    idOf: { param: 'id', of: 'createView' },
    headers: { 'If-Match': '"1"' },
    body: { name: 'Late replies', query: { overdue: 'true', sortField: 'xfDate' }, columns: null, shared: true },
  },
  { operation: 'deleteView', ...vendor, params: { id: VIEW }, idOf: { param: 'id', of: 'createView' } },
  { operation: 'streamNotifications', ...vendor },
  {
    operation: 'replaceApprovalPolicy',
    as: 'admin',
    params: { name: NEW_VENDOR },
    body: {
      enabled: true,
      maxDaysEarlier: 14,
      maxDaysLater: 3,
      maxQtyIncreasePercent: 0,
      maxQtyDecreasePercent: 2.5,
      maxPriceIncreasePercent: 0,
      maxPriceDecreasePercent: 100,
      allowFactoryChange: false,
      maxAmount: [{ currency: 'USD', amount: 50_000 }],
    },
  },
  {
    operation: 'listApprovalPolicies',
    as: 'buyer',
    only: ({ vendorCode }: ApprovalPolicy) => vendorCode === NEW_VENDOR,
  },
  { operation: 'getApprovalPolicyHistory', as: 'buyer', params: { name: NEW_VENDOR }, shown: 1 },
  {
    operation: 'previewApprovalPolicy',
    as: 'admin',
    params: { name: 'CRANE' },
    body: {
      enabled: true,
      maxDaysEarlier: 14,
      maxDaysLater: 14,
      maxQtyIncreasePercent: 0,
      maxQtyDecreasePercent: 20,
      maxPriceIncreasePercent: 10,
      maxPriceDecreasePercent: 100,
      allowFactoryChange: true,
      maxAmount: [],
    },
  },
  { operation: 'deleteApprovalPolicy', as: 'admin', params: { name: NEW_VENDOR } },
  { operation: 'getApprovals', ...vendor },
  { operation: 'listSuppressions', as: 'admin' },
  { operation: 'deleteUser', as: 'admin', params: { userId: LEFT } },
];

/** Each response is an example of its operation, unless the request only prepares later ones. */
export const ANSWERED = REQUESTS.map((request): ExampleRequest => ({ of: request.operation, ...request }));

import type { ApiRequest } from './send.js';

/** Callers whom the service knows, by what the answer depends on. Vendor means a token of role VENDOR with a vendor code. */
export const KNOWN = ['own vendor', 'colleague', 'other vendor', 'BUYER', 'ADMIN', 'VIEWER'] as const;
export type Known = (typeof KNOWN)[number];

/** Callers whom every operation rejects. */
export const REJECTED_CALLERS = {
  'no token': { status: 401, code: 'TOKEN_MISSING' },
  'a malformed token': { status: 401, code: 'TOKEN_INVALID' },
  'signed by another key': { status: 401, code: 'TOKEN_INVALID' },
  expired: { status: 401, code: 'TOKEN_EXPIRED' },
  'no known role': { status: 403, code: 'ROLE_NOT_ALLOWED' },
  'a vendor without a code': { status: 403, code: 'VENDOR_NOT_LINKED' },
} as const;
export type RejectedCaller = keyof typeof REJECTED_CALLERS;
export type Caller = Known | RejectedCaller;

/** What becomes of a request about an order of the own vendor, and what people read of it. */
export const VERDICTS = {
  shown: 'sees it',
  hidden: 'own only',
  alike: 'alike',
  done: 'done',
  unknown: '404',
  refused: '403',
} as const;
export type Verdict = keyof typeof VERDICTS;

/** What requests are about: an order of the own vendor, and what belongs to it. */
export interface Subject {
  poRef: string;
  vendorCode: string;
  /** Of one of its rows. */
  rowHash: string;
  /** The own vendor's, of this order. */
  notificationId: string;
  /** A user whom nobody notifies of an order. */
  userId: string;
  /** An address that gets no mail. */
  suppressed: string;
}

/** A request but for its method, which is that of the operation. */
export type Asked = Omit<ApiRequest, 'method'>;

/** How far the order has come when it is asked for. */
export type State = 'New' | 'Pending Approval' | 'Confirmed' | 'In Production' | 'Shipped';

export interface Rule {
  /** What of the operation this is, where not all of it is answered alike; empty: all of it. */
  part: string;
  state: State;
  request: (subject: Subject) => Asked;
  verdicts: Record<Known, Verdict>;
  /** The verdict is that of the one item of a batch, whose answer is 200 however it ended. */
  isItem?: true;
  /** What it does changes no order and no inbox of its vendor or buyer. */
  isBesideOrders?: true;
  /** It tells of orders by their number alone. */
  isNumber?: true;
  /** How many orders, or what stands for them, an answer tells of. */
  counted?: (body: never, text: string) => number;
}

const both = (verdict: Verdict) => ({ 'own vendor': verdict, colleague: verdict });
const internal = (verdict: Verdict) => ({ BUYER: verdict, ADMIN: verdict, VIEWER: verdict });

/** One order: everybody of ours, and its vendor. */
const ORDER: Rule['verdicts'] = { ...both('shown'), 'other vendor': 'unknown', ...internal('shown') };
/** Of many orders: the same, and another vendor its own alone. */
const MANY: Rule['verdicts'] = { ...ORDER, 'other vendor': 'hidden' };
/** What everybody has of their own. */
const OWN: Rule['verdicts'] = { ...both('hidden'), 'other vendor': 'hidden', ...internal('hidden') };
/** A reply to an order: its vendor alone. */
const REPLY: Rule['verdicts'] = { ...both('done'), 'other vendor': 'unknown', ...internal('refused') };

const read = (path: (subject: Subject) => string, verdicts: Rule['verdicts'], more: Partial<Rule> = {}): Rule => ({
  part: '',
  state: 'Pending Approval',
  verdicts,
  ...more,
  request: (subject) => ({ path: path(subject) }),
});

/** What each role may ever do, told once more than in the workflow. */
const ACTIONS: readonly (readonly [action: string, state: State, roles: readonly ('VENDOR' | 'BUYER' | 'ADMIN')[]])[] =
  [
    ['SUBMIT', 'New', ['VENDOR']],
    ['APPROVE', 'Pending Approval', ['BUYER', 'ADMIN']],
    ['REJECT', 'Pending Approval', ['BUYER', 'ADMIN']],
    ['RECALL', 'Confirmed', ['VENDOR', 'BUYER', 'ADMIN']],
    ['MOVE_TO_PRODUCTION', 'Confirmed', ['VENDOR', 'BUYER', 'ADMIN']],
    ['MARK_SHIPPED', 'In Production', ['VENDOR', 'ADMIN']],
    ['CONFIRM_DELIVERY', 'Shipped', ['BUYER', 'ADMIN']],
    ['CANCEL', 'Pending Approval', ['BUYER', 'ADMIN']],
  ];

const transitions = (
  actions: typeof ACTIONS,
  request: (subject: Subject, action: string) => Asked,
  more: Partial<Rule> = {},
): Rule[] =>
  actions.map(([action, state, roles]) => {
    const may = (role: 'VENDOR' | 'BUYER' | 'ADMIN'): Verdict => (roles.includes(role) ? 'done' : 'refused');
    const ours = { BUYER: may('BUYER'), ADMIN: may('ADMIN'), VIEWER: 'refused' } as const;
    return {
      part: action,
      state,
      ...more,
      request: (subject: Subject) => request(subject, action),
      verdicts: { ...both(may('VENDOR')), 'other vendor': 'unknown', ...ours },
    };
  });

const sumOf = (counts: object): number => Object.values(counts).reduce((sum: number, count: number) => sum + count, 0);
const lengthOf = (list: unknown[]): number => list.length;
const rowsIn = (_body: never, text: string): number => text.trimEnd().split('\r\n').length - 1;
const totalOf = ({ pagination }: { pagination: { total: number } }): number => pagination.total;
const overdueOf = ({ overdueTotal }: { overdueTotal: number }): number => overdueTotal;
const order = '/purchase-orders';
const newest = 'sortField=id&sortDir=desc';

const replies = ({ poRef, rowHash }: Subject, query: string): Asked => ({
  path: `${order}/${poRef}/line-items/import${query}`,
  headers: { 'content-type': 'text/csv' },
  body: `Row ID,Reply Qty\r\n${rowHash},7\r\n`,
});

/** Who may do what: an entry for each operation of the published document. */
export const RULES: Record<string, readonly Rule[]> = {
  listPurchaseOrders: [
    read(() => `${order}?${newest}&limit=100`, MANY, { counted: totalOf }),
    read(({ poRef }) => `${order}?search=${poRef}`, MANY, { part: 'searched', counted: totalOf }),
    read(({ vendorCode }) => `${order}?vendor=${vendorCode}`, MANY, { part: 'of a vendor', counted: totalOf }),
  ],
  getPurchaseOrder: [
    read(({ poRef }) => `${order}/${poRef}`, ORDER),
    read(({ poRef }) => `${order}/${poRef}?include=lineItems`, ORDER, { part: 'with its lines' }),
  ],
  updatePurchaseOrder: [
    {
      part: '',
      state: 'New',
      verdicts: REPLY,
      request: ({ poRef }) => ({ path: `${order}/${poRef}`, body: { vendor_reply_comment: 'three days later' } }),
    },
  ],
  listLineItems: [read(({ poRef }) => `${order}/${poRef}/line-items`, ORDER)],
  updateLineItems: [
    {
      part: '',
      state: 'New',
      verdicts: REPLY,
      request: ({ poRef, rowHash }) => ({
        path: `${order}/${poRef}/line-items`,
        body: { lines: [{ rowHash, vendorReplyQty: 7 }] },
      }),
    },
  ],
  importLineItems: [
    {
      part: '',
      state: 'New',
      verdicts: REPLY,
      request: (subject) => replies(subject, ''),
    },
    {
      part: 'a dry run',
      state: 'New',
      verdicts: { ...REPLY, ...both('shown') },
      request: (subject) => replies(subject, '?dryRun=true'),
    },
  ],
  executeTransition: transitions(ACTIONS, ({ poRef }, action) => ({
    path: `${order}/${poRef}/transition`,
    body: { action },
  })),
  // Each item is the single request.
  executeTransitions: transitions(
    ACTIONS.filter(([action]) => ['SUBMIT', 'APPROVE', 'MARK_SHIPPED'].includes(action)),
    ({ poRef }, action) => ({ path: `${order}/transitions`, body: { items: [{ poRef, action }] } }),
    { isItem: true },
  ),
  getDiff: [read(({ poRef }) => `${order}/${poRef}/diff`, ORDER)],
  getHistory: [read(({ poRef }) => `${order}/${poRef}/history`, ORDER)],
  exportPurchaseOrders: [
    read(() => `/purchase-order-exports?level=orders&${newest}`, MANY, { counted: rowsIn }),
    read(({ poRef }) => `/purchase-order-exports?search=${poRef}`, MANY, { part: 'searched', counted: rowsIn }),
    read(({ vendorCode }) => `/purchase-order-exports?vendor=${vendorCode}`, MANY, {
      part: 'of a vendor',
      counted: rowsIn,
    }),
  ],
  // The order's buyer is told of what the vendor did, the vendor's users of what others did.
  listNotifications: [
    read(() => '/notifications', { ...MANY, ADMIN: 'hidden', VIEWER: 'hidden' }, { counted: lengthOf }),
  ],
  markNotificationRead: [
    {
      part: 'of the own vendor',
      state: 'Pending Approval',
      request: ({ notificationId }) => ({ path: `/notifications/${notificationId}/read` }),
      verdicts: { ...both('unknown'), 'other vendor': 'unknown', ...internal('unknown'), 'own vendor': 'done' },
    },
    {
      part: 'all',
      state: 'Pending Approval',
      request: () => ({ path: '/notifications/all/read' }),
      verdicts: { ...both('hidden'), 'other vendor': 'hidden', ...internal('hidden'), 'own vendor': 'done' },
    },
  ],
  getPreferences: [read(() => '/me/preferences', OWN)],
  replacePreferences: [
    {
      part: '',
      state: 'Pending Approval',
      isBesideOrders: true,
      request: () => ({
        path: '/me/preferences',
        body: {
          locale: 'zh',
          timeZone: 'Asia/Shanghai',
          mail: { TRANSITION: 'off', MESSAGE: 'digest', REMINDER: 'now' },
          digestAt: '07:00',
        },
      }),
      verdicts: { ...OWN, 'own vendor': 'done' },
    },
  ],
  deleteUser: [
    {
      part: '',
      state: 'Pending Approval',
      isBesideOrders: true,
      request: ({ userId }) => ({ path: `/users/${userId}` }),
      verdicts: { ...both('refused'), 'other vendor': 'refused', ...internal('refused'), ADMIN: 'done' },
    },
  ],
  listSuppressions: [
    {
      part: '',
      state: 'Pending Approval',
      isBesideOrders: true,
      request: () => ({ path: '/mail/suppressions' }),
      verdicts: { ...both('refused'), 'other vendor': 'refused', ...internal('refused'), ADMIN: 'alike' },
    },
  ],
  deleteSuppression: [
    {
      part: '',
      state: 'Pending Approval',
      isBesideOrders: true,
      request: ({ suppressed }) => ({ path: `/mail/suppressions/${encodeURIComponent(suppressed)}` }),
      verdicts: { ...both('refused'), 'other vendor': 'refused', ...internal('refused'), ADMIN: 'done' },
    },
  ],
  streamNotifications: [read(() => '/notifications/stream', MANY)],
  getKpis: [read(() => '/dashboard/kpis', MANY, { counted: sumOf, isNumber: true })],
  getRecentActivity: [read(() => '/dashboard/recent-activity', MANY, { counted: lengthOf })],
  getSchedule: [read(() => '/dashboard/schedule', MANY, { counted: overdueOf, isNumber: true })],
  getFilters: [read(() => '/po-filters', MANY, { counted: ({ vendors }: { vendors: string[] }) => vendors.length })],
  listAvailableActions: [
    read(() => '/lookups/actions?statusId=200&role=VENDOR', {
      ...both('alike'),
      'other vendor': 'alike',
      ...internal('alike'),
    }),
  ],
  // The buyer's e-mail address is that of the order.
  getCurrentUser: [
    read(() => '/me', { ...both('shown'), 'other vendor': 'hidden', ...internal('hidden'), BUYER: 'shown' }),
  ],
};

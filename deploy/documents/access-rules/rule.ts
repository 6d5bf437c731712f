/** Authenticated callers, distinguished by what the answer depends on. A vendor has a token of role VENDOR with a vendor code. */
export const AUTHENTICATED_CALLERS = ['own vendor', 'colleague', 'other vendor', 'BUYER', 'ADMIN', 'VIEWER'] as const;
export type AuthenticatedCaller = (typeof AUTHENTICATED_CALLERS)[number];

/** Callers that every operation rejects. */
export const REJECTED_CALLERS = {
  'no token': { status: 401, code: 'TOKEN_MISSING' },
  'a malformed token': { status: 401, code: 'TOKEN_INVALID' },
  'signed by another key': { status: 401, code: 'TOKEN_INVALID' },
  expired: { status: 401, code: 'TOKEN_EXPIRED' },
  'no known role': { status: 403, code: 'ROLE_NOT_ALLOWED' },
  'a vendor without a code': { status: 403, code: 'VENDOR_NOT_LINKED' },
} as const;
export type RejectedCaller = keyof typeof REJECTED_CALLERS;
export type Caller = AuthenticatedCaller | RejectedCaller;

/** Outcomes of a request about an order of the own vendor, with their texts in the document. */
export const VERDICTS = {
  shown: 'sees it',
  hidden: 'own only',
  same: 'same',
  done: 'done',
  unknown: '404',
  refused: '403',
} as const;
export type Verdict = keyof typeof VERDICTS;

/** Subject of the requests: an order of the own vendor and related ids. */
export interface Subject {
  poRef: string;
  vendorCode: string;
  /** E-mail address of the order's buyer. */
  buyerEmail: string;
  /** Hash of one of the order's lines. */
  rowHash: string;
  /** A notification of the own vendor about this order. */
  notificationId: string;
  /** A user who gets no notifications about orders. */
  userId: string;
  /** An address that gets no mail. */
  suppressed: string;
  /** Name of an approval policy. */
  policy: string;
  /** Ids of messages by visibility. `poRef` is the order of the messages, even if another order is requested. */
  messages: { poRef: string; shown: string; internal: string };
  /** Ids of views: two of the own vendor, and one shared by the BUYER. */
  views: { private: string; shared: string; internal: string };
}

/** A request without its method, which is that of the operation. */
export interface RequestSpec {
  /** Path after `/api`, including the query. */
  path: string;
  /** Names in lower case. */
  headers?: Record<string, string>;
  /** Strings are sent unchanged, other values as JSON. */
  body?: unknown;
}

/** Status of the order at the time of the request. */
export type State = 'New' | 'Pending Approval' | 'Confirmed' | 'In Production' | 'Shipped';

export interface Rule {
  /** The part of the operation that the rule covers, if parts have different rules; empty for the whole operation. */
  part: string;
  state: State;
  request: (subject: Subject) => RequestSpec;
  verdicts: Record<AuthenticatedCaller, Verdict>;
  /** The verdict applies to the single item of a batch; the batch itself always returns 200. */
  isBatchItem?: true;
  /** The operation changes neither an order nor the inbox of its vendor or buyer. */
  leavesOrdersUnchanged?: true;
  /** The operation deletes the resource, so that no later caller can be refused. */
  deletesResource?: true;
  /** The answer contains only a count of orders. */
  isCountOnly?: true;
  /** Counts the orders, or entries derived from them, in an answer. */
  countOrders?: (body: never, text: string) => number;
}

/** Rules by operation id. */
export type Rules = Readonly<Record<string, readonly Rule[]>>;

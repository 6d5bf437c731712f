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
  /** Of its buyer. */
  buyerEmail: string;
  /** Of one of its rows. */
  rowHash: string;
  /** The own vendor's, of this order. */
  notificationId: string;
  /** A user whom nobody notifies of an order. */
  userId: string;
  /** An address that gets no mail. */
  suppressed: string;
  /** The name of an approval policy. */
  policy: string;
  /** Ids of messages of the order, by who may see them; `poRef` is the order's, whatever order is asked for. */
  messages: { poRef: string; shown: string; internal: string };
  /** Ids of views: two of the own vendor, and one that the BUYER shares. */
  views: { private: string; shared: string; internal: string };
}

/** A request but for its method, which is that of the operation. */
export interface Asked {
  /** Behind `/api`, with its query. */
  path: string;
  /** In lower case. */
  headers?: Record<string, string>;
  /** A string is sent as it is, all else as JSON. */
  body?: unknown;
}

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
  /** Afterwards there is nothing that anybody could still be refused. */
  isGone?: true;
  /** It tells of orders by their number alone. */
  isNumber?: true;
  /** How many orders, or what stands for them, an answer tells of. */
  counted?: (body: never, text: string) => number;
}

/** Of operations. */
export type Rules = Readonly<Record<string, readonly Rule[]>>;

import type { ReplyHttpHeader } from '@po/contracts';

export type ReplyHeaders = Partial<Record<ReplyHttpHeader, string>>;

/** What a handler answers: an HTTP status, headers of the allow-list, and a body. A Buffer or string is JSON already and sent as it is. */
export interface Reply {
  status: number;
  headers: ReplyHeaders;
  body: unknown;
}

/** A 200 with its body and headers. */
export function ok(body: unknown, headers: ReplyHeaders = {}): Reply {
  return { status: 200, headers, body };
}

/** A 304: the caller has this version already. */
export function notModified(headers: ReplyHeaders): Reply {
  return { status: 304, headers, body: '' };
}

import {
  HEADERS,
  REPLY_PARTITIONS,
  type Locale,
  REPLY_HTTP_HEADERS,
  type ReplyHttpHeader,
  type RpcPattern,
  TOPICS,
} from '@po/contracts';
import { purposeOf } from './actor-purpose.js';
import { GZIP } from './reply-encoding.js';
import type { RpcContext } from './rpc-context.js';

/** All properties of a request except its pattern and payload. */
export interface RpcRequest {
  /** The caller's token, signed for a purpose, which is known for a command only when it is sent. `NO_ACTOR` for an unsigned pattern. */
  actorToken: (purpose: string) => string;
  requestId: string;
  traceparent: string;
  locale: Locale;
  /** Path of the HTTP request without its query. */
  path: string;
  /** Ordering key of a command. */
  key?: string | null;
  commandId?: string;
  method?: string;
  idempotencyKey?: string;
  idempotencyOrigin?: 'client' | 'minted';
  ifMatch?: string;
  ifNoneMatch?: string;
}

/** For a request that a service sends without a user. */
export const NO_ACTOR = (): string => '';

/** Parsed headers of a request. */
export interface RpcEnvelope {
  type: string;
  correlationId: string;
  replyPartition: number;
  /** Epoch milliseconds of the sender's clock. */
  deadline: number;
  requestId: string;
  locale: Locale;
  path: string;
  takesGzip: boolean;
  isResent: boolean;
}

/** Headers of one send of a request. */
export function requestHeaders(
  { type, kind }: RpcPattern,
  request: RpcRequest,
  send: {
    correlationId: string;
    commandId: string;
    deadline: number;
    replyPartition: number;
    value: string;
    isResent: boolean;
  },
): Record<string, string> {
  const headers: Record<string, string> = {
    [HEADERS.messageType]: type,
    [HEADERS.correlationId]: send.correlationId,
    [HEADERS.commandId]: send.commandId,
    [HEADERS.replyTopic]: TOPICS.replies,
    [HEADERS.replyPartition]: String(send.replyPartition),
    [HEADERS.deadline]: String(send.deadline),
    [HEADERS.requestId]: request.requestId,
    [HEADERS.traceparent]: request.traceparent,
    [HEADERS.locale]: request.locale,
    [HEADERS.path]: request.path,
    [HEADERS.acceptEncoding]: GZIP,
  };
  if (send.isResent) headers[HEADERS.resent] = '1';
  if (request.method) headers[HEADERS.method] = request.method;
  if (request.idempotencyKey) headers[HEADERS.idempotencyKey] = request.idempotencyKey;
  if (request.idempotencyOrigin) headers[HEADERS.idempotencyOrigin] = request.idempotencyOrigin;
  if (request.ifMatch) headers[HEADERS.ifMatch] = request.ifMatch;
  if (request.ifNoneMatch) headers[HEADERS.ifNoneMatch] = request.ifNoneMatch;
  const { actorToken, key = null } = request;
  headers[HEADERS.actor] = actorToken(purposeOf(kind, { key, value: send.value, headers }));
  return headers;
}

/** The headers that a reply needs, or null if the request cannot be answered. */
export function envelopeOf(headers: Readonly<Record<string, string>>): RpcEnvelope | null {
  const correlationId = headers[HEADERS.correlationId];
  const replyPartition = partitionOf(headers[HEADERS.replyPartition]);
  const deadline = Number(headers[HEADERS.deadline]);
  const type = headers[HEADERS.messageType];
  // Replies go to this topic only, because this service may write to topics that the sender may not.
  if (headers[HEADERS.replyTopic] !== TOPICS.replies || replyPartition === null) return null;
  if (!type || !correlationId || !Number.isFinite(deadline)) return null;
  return {
    type,
    correlationId,
    replyPartition,
    deadline,
    requestId: headers[HEADERS.requestId] ?? correlationId,
    locale: headers[HEADERS.locale] === 'zh' ? 'zh' : 'en',
    path: headers[HEADERS.path] ?? '/',
    takesGzip: headers[HEADERS.acceptEncoding] === GZIP,
    isResent: headers[HEADERS.resent] !== undefined,
  };
}

/** The client whose clock set the times of a request: the unique prefix of its correlation ids. */
export const senderOf = (correlationId: string): string => correlationId.replace(/-[^-]*$/, '');

function partitionOf(digits = ''): number | null {
  const partition = /^\d{1,5}$/.test(digits) ? Number(digits) : NaN;
  return partition < REPLY_PARTITIONS ? partition : null;
}

/** The handler's context: envelope, verified actor, trace parent and memory reservation. */
export function contextOf(
  envelope: RpcEnvelope,
  headers: Readonly<Record<string, string>>,
  { actor, traceparent, reserve }: Pick<RpcContext, 'actor' | 'traceparent' | 'reserve'>,
): RpcContext {
  return {
    type: envelope.type,
    actor,
    actorToken: headers[HEADERS.actor] ?? '',
    requestId: envelope.requestId,
    commandId: headers[HEADERS.commandId] ?? envelope.correlationId,
    deadline: envelope.deadline,
    locale: envelope.locale,
    path: envelope.path,
    method: headers[HEADERS.method] ?? 'GET',
    idempotencyKey: headers[HEADERS.idempotencyKey] ?? null,
    idempotencyOrigin: headers[HEADERS.idempotencyOrigin] === 'client' ? 'client' : 'minted',
    ifMatch: headers[HEADERS.ifMatch] ?? null,
    ifNoneMatch: headers[HEADERS.ifNoneMatch] ?? null,
    traceparent,
    reserve,
  };
}

/** Headers of a reply: correlation, status and the allow-listed HTTP headers as `h-<name>`. */
export function replyHeaders(
  correlationId: string,
  status: number,
  headers: Readonly<Partial<Record<string, string>>>,
): Record<string, string> {
  const encoded: Record<string, string> = {
    [HEADERS.correlationId]: correlationId,
    [HEADERS.httpStatus]: String(status),
  };
  for (const name of REPLY_HTTP_HEADERS) {
    const value = headers[name];
    if (value !== undefined) encoded[`h-${name}`] = value;
  }
  return encoded;
}

/** The allow-listed HTTP headers of a reply. */
export function httpHeadersOf(headers: Readonly<Record<string, string>>): Partial<Record<ReplyHttpHeader, string>> {
  const decoded: Partial<Record<ReplyHttpHeader, string>> = {};
  for (const name of REPLY_HTTP_HEADERS) {
    const value = headers[`h-${name}`];
    if (value !== undefined) decoded[name] = value;
  }
  return decoded;
}

import { HEADERS, type Actor, type Locale, REPLY_HTTP_HEADERS, type ReplyHttpHeader } from '@po/contracts';
import { childTraceparent } from '@po/platform';
import type { RpcContext } from './context.js';

/** A request's headers as the server needs them. */
export interface RpcEnvelope {
  type: string;
  correlationId: string;
  replyTopic: string;
  replyPartition: number;
  /** Epoch milliseconds. */
  deadline: number;
  requestId: string;
  locale: Locale;
  path: string;
}

/** The part of the headers an answer depends on, or null when there is nobody to answer. */
export function envelopeOf(headers: Readonly<Record<string, string>>): RpcEnvelope | null {
  const correlationId = headers[HEADERS.correlationId];
  const replyTopic = headers[HEADERS.replyTopic];
  const replyPartition = Number(headers[HEADERS.replyPartition]);
  const deadline = Number(headers[HEADERS.deadline]);
  const type = headers[HEADERS.messageType];
  if (!type || !correlationId || !replyTopic || !Number.isInteger(replyPartition) || !Number.isFinite(deadline))
    return null;
  return {
    type,
    correlationId,
    replyTopic,
    replyPartition,
    deadline,
    requestId: headers[HEADERS.requestId] ?? correlationId,
    locale: headers[HEADERS.locale] === 'zh' ? 'zh' : 'en',
    path: headers[HEADERS.path] ?? '/',
  };
}

/** What the handler gets: the envelope and the verified actor. */
export function contextOf(envelope: RpcEnvelope, headers: Readonly<Record<string, string>>, actor: Actor): RpcContext {
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
    traceparent: childTraceparent(headers[HEADERS.traceparent]),
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

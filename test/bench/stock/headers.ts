import { type Actor, HEADERS, type RpcPattern } from '@po/contracts';
import type { RpcContext, RpcRequest } from '@po/messaging';
import { FOR_QUERIES } from '@po/platform';
import { received } from '../order-handlers.js';

/** As in the product every command is signed for itself; its id stands for the digest. */
export const purposeOf = ({ kind }: RpcPattern, commandId: string): string =>
  kind === 'command' ? commandId : FOR_QUERIES;

/** What the product's client puts into Kafka headers beside the addresses of its transport. */
export function headersOf(pattern: RpcPattern, request: RpcRequest): Record<string, string> {
  const { commandId, deadline } = received(pattern);
  const { actorToken } = request;
  return {
    [HEADERS.messageType]: pattern.type,
    [HEADERS.commandId]: commandId,
    [HEADERS.deadline]: String(deadline),
    [HEADERS.actor]: typeof actorToken === 'string' ? actorToken : actorToken(purposeOf(pattern, commandId)),
    [HEADERS.requestId]: request.requestId,
    [HEADERS.traceparent]: request.traceparent,
    [HEADERS.locale]: request.locale,
    [HEADERS.path]: request.path,
    [HEADERS.method]: request.method ?? 'GET',
    [HEADERS.idempotencyOrigin]: request.idempotencyOrigin ?? 'minted',
    ...(request.idempotencyKey ? { [HEADERS.idempotencyKey]: request.idempotencyKey } : {}),
    ...(request.ifMatch ? { [HEADERS.ifMatch]: request.ifMatch } : {}),
    ...(request.ifNoneMatch ? { [HEADERS.ifNoneMatch]: request.ifNoneMatch } : {}),
  };
}

/** The context of the product's handlers, from the headers as Nest hands them over. */
export function contextOf(headers: Record<string, string>, actor: Actor): RpcContext {
  const text = (name: string) => headers[name] ?? '';
  return {
    type: text(HEADERS.messageType),
    actor,
    actorToken: text(HEADERS.actor),
    requestId: text(HEADERS.requestId),
    commandId: text(HEADERS.commandId),
    deadline: Number(headers[HEADERS.deadline]),
    locale: headers[HEADERS.locale] === 'zh' ? 'zh' : 'en',
    path: text(HEADERS.path),
    method: text(HEADERS.method),
    idempotencyKey: headers[HEADERS.idempotencyKey] ?? null,
    idempotencyOrigin: headers[HEADERS.idempotencyOrigin] === 'client' ? 'client' : 'minted',
    ifMatch: headers[HEADERS.ifMatch] ?? null,
    ifNoneMatch: headers[HEADERS.ifNoneMatch] ?? null,
    traceparent: text(HEADERS.traceparent),
  };
}

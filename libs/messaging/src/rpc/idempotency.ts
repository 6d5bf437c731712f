import { hashOfJson } from './json-hash.js';
import type { Reply } from './reply.js';
import type { RpcContext } from './rpc-context.js';

/** Hash of a request's idempotency key, bound to its caller, method and target. Without a key, the command id identifies the request. */
export function idempotencyHash(
  { actor, method, idempotencyKey, commandId }: Pick<RpcContext, 'actor' | 'method' | 'idempotencyKey' | 'commandId'>,
  ...target: string[]
): string {
  const { sub, role, vendorCode } = actor;
  return hashOfJson([sub, role, vendorCode, method, ...target, idempotencyKey ?? commandId]);
}

/**
 * The stored reply for a repeated request. `first`: the command that it answered. A redelivered command answers the same request, so only
 * another request with the same key is marked as replayed.
 */
export const repeatedReply = <Body>(reply: Reply<Body>, first: string, commandId: string): Reply<Body> =>
  first === commandId ? reply : { ...reply, headers: { ...reply.headers, 'idempotency-replayed': 'true' } };

import { randomUUID } from 'node:crypto';
import { type Actor, PROBLEM_CONTENT_TYPE, type RpcPattern } from '@po/contracts';
import { KafkaRpcClient, type RpcRequest, type RpcResponse } from '@po/messaging';
import { ActorSigner, childTraceparent } from '@po/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { actorOf } from '../http/request-context.js';
import type { RelayedOperation } from './operation.js';
import { readRequest } from './read-request.js';

type Extra = Partial<Pick<RpcRequest, 'path'>> &
  Pick<RpcRequest, 'key' | 'ifMatch' | 'ifNoneMatch' | 'idempotencyKey' | 'idempotencyOrigin'>;

/** Asks the service that knows, in the caller's name. */
export class Upstream {
  constructor(
    private readonly client: KafkaRpcClient,
    private readonly signer: ActorSigner,
  ) {}

  /** Reads an HTTP request by its operation, asks the service and answers with what comes back. */
  async relay(operation: RelayedOperation, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { conditions, ...read } = await readRequest(operation, request);
    const { pattern, orderedBy } = operation;
    const key = orderedBy === 'caller' ? actorOf(request).sub : orderedBy && read.params[orderedBy];
    passOn(await this.ask(pattern, operation.ask(read), request, { key, ...conditions }), reply);
  }

  /** What the service answered. Rejects with UNAVAILABLE or TIMEOUT when it did not. */
  ask(pattern: RpcPattern, payload: unknown, request: FastifyRequest, extra: Extra = {}): Promise<RpcResponse> {
    const { span, locale, path } = request.context;
    const { traceparent } = span;
    const { id: requestId, method } = request;
    return this.send(pattern, payload, actorOf(request), { requestId, traceparent, locale, path, method, ...extra });
  }

  /** The same for a caller whose request was answered before: under an id and a trace of its own, of which nothing is kept. */
  askFor(actor: Actor, pattern: RpcPattern, payload: unknown): Promise<RpcResponse> {
    const traceparent = childTraceparent(undefined);
    return this.send(pattern, payload, actor, { requestId: randomUUID(), traceparent, locale: 'en', path: '/' });
  }

  private send(
    pattern: RpcPattern,
    payload: unknown,
    actor: Actor,
    request: Omit<RpcRequest, 'actorToken'>,
  ): Promise<RpcResponse> {
    const actorToken = (purpose: string) => this.signer.sign(actor, purpose);
    return this.client.request(pattern, payload, { actorToken, ...request });
  }
}

/** The service's status, headers and bytes as they are. */
export function passOn({ status, headers, body }: RpcResponse, reply: FastifyReply): void {
  reply.code(status).headers(headers);
  if (status === 204 || status === 304) {
    reply.send();
    return;
  }
  if (status < 400) {
    reply.type('application/json; charset=utf-8').send(body);
    return;
  }
  reply.header('cache-control', 'no-store').type(PROBLEM_CONTENT_TYPE).send(body);
}

/** A body as JSON. */
export const jsonOf = (body: Buffer): unknown => JSON.parse(body.toString('utf8'));

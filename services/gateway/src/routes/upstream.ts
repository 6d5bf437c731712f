import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Actor, PROBLEM_CONTENT_TYPE, type RpcPattern } from '@po/contracts';
import { KafkaRpcClient, NO_ACTOR, type RpcRequest, type RpcReply } from '@po/messaging';
import { ActorSigner, childTraceparent } from '@po/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ResponseAdmission, SMALL_RESPONSE } from '../admission/response-admission.js';
import { piecesOf } from '../admission/download-watch.js';
import { ReadLimiter } from '../admission/read-limiter.js';
import { actorOf } from '../http/request-context.js';
import type { ProxiedOperation } from './operation.js';
import { readRequest } from './read-request.js';

interface Options extends Partial<Omit<RpcRequest, 'actorToken'>> {
  /** Sends a read when its turn comes, in a queue with reads of other users. */
  enqueue?: (send: () => Promise<RpcReply>) => Promise<RpcReply>;
}

/** Sends requests to the services on behalf of the caller. */
export class Upstream {
  private readonly readLimiter = new ReadLimiter();

  constructor(
    private readonly client: KafkaRpcClient,
    private readonly signer: ActorSigner,
  ) {}

  /** Reads an HTTP request as its operation declares, sends it to the service and answers with the reply. */
  async proxy(operation: ProxiedOperation, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { conditions, ...read } = await readRequest(operation, request);
    const { pattern, orderedBy } = operation;
    const key = orderedBy === 'caller' ? actorOf(request).sub : orderedBy && read.params[orderedBy];
    sendResponse(await this.request(pattern, operation.payload(read), request, { key, ...conditions }), reply);
  }

  /**
   * Resolves with the service's reply. Rejects with UNAVAILABLE or TIMEOUT if there is none. Also rejects a write with UNAVAILABLE while
   * the user leaves too many responses unread: once the write is done, it is too late to refuse its response. A read waits for its
   * turn among the user's reads before `enqueue`, because a user who waits for their own reads must not block a queue of all users.
   */
  async request(
    pattern: RpcPattern,
    payload: unknown,
    request: FastifyRequest,
    { enqueue = (send) => send(), ...extra }: Options = {},
  ): Promise<RpcReply> {
    const { span, locale, path } = request.context;
    const { traceparent } = span;
    const { id: requestId, method, server, raw } = request;
    const actor = actorOf(request);
    const send = () => this.send(pattern, payload, actor, { requestId, traceparent, locale, path, method, ...extra });
    if (method === 'GET' || method === 'HEAD') return this.readLimiter.run(actor.sub, raw.socket, send, enqueue);
    server.responses.admit(actor.sub);
    return send();
  }

  /** Like `request`, for a caller without a current HTTP request: with a new request id and an unsampled trace. */
  requestAs(actor: Actor, pattern: RpcPattern, payload: unknown, key: string | null = null): Promise<RpcReply> {
    return this.send(pattern, payload, actor, { ...withoutRequest(), key });
  }

  /** Sends a request that needs no signature of a caller. */
  requestUnsigned(pattern: RpcPattern & { unsigned: true }, payload: unknown): Promise<RpcReply> {
    return this.client.request(pattern, payload, { ...withoutRequest(), actorToken: NO_ACTOR });
  }

  private send(
    pattern: RpcPattern,
    payload: unknown,
    actor: Actor,
    request: Omit<RpcRequest, 'actorToken'>,
  ): Promise<RpcReply> {
    const actorToken = (purpose: string) => this.signer.sign(actor, purpose);
    return this.client.request(pattern, payload, { actorToken, ...request });
  }
}

const withoutRequest = () => ({
  requestId: randomUUID(),
  traceparent: childTraceparent(undefined),
  locale: 'en' as const,
  path: '/',
});

declare module 'fastify' {
  interface FastifyInstance {
    responses: ResponseAdmission;
  }
}

/** Sends the service's reply unchanged. Throws UNAVAILABLE instead of a GET's result while the user leaves too many responses unread. */
export function sendResponse({ status, headers, body }: RpcReply, reply: FastifyReply): void {
  const { request, server, raw } = reply;
  const isSent = request.method !== 'HEAD';
  const isLarge = isSent && body.length > SMALL_RESPONSE;
  if (isSent) {
    const { sub } = actorOf(request);
    if (request.method === 'GET' && status < 400) server.responses.admit(sub, body.length);
    server.responses.hold(sub, body.length, raw);
  }
  reply.code(status).headers(headers);
  if (status === 204 || status === 304) {
    reply.send();
    return;
  }
  if (status < 400) reply.type('application/json; charset=utf-8');
  else reply.header('cache-control', 'no-store').type(PROBLEM_CONTENT_TYPE);
  if (isLarge) reply.header('content-length', body.length).send(Readable.from(piecesOf(body), { objectMode: false }));
  else reply.send(body);
}

export const jsonOf = (body: Buffer): unknown => JSON.parse(body.toString('utf8'));

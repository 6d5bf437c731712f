import {
  DetailParameters,
  PATTERNS,
  PROBLEM_CONTENT_TYPE,
  ProblemError,
  type RpcPattern,
  TransitionRequest,
  problemDocument,
} from '@po/contracts';
import type { Callers } from '@po/gateway/dist/authentication/callers.js';
import { actorOf, requestContextOf, requestIdOf } from '@po/gateway/dist/http/request-context.js';
import { FIXED_HEADERS } from '@po/gateway/dist/http/fixed-headers.js';
import { bodyOf } from '@po/gateway/dist/http/json-body.js';
import { NoQuery, poRefOf, queryOf } from '@po/gateway/dist/http/parameters.js';
import { passOn } from '@po/gateway/dist/routes/upstream.js';
import { writeConditionsOf } from '@po/gateway/dist/http/write-conditions.js';
import { type Reply, type RpcContext, encoded } from '@po/messaging';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type OrderHandlers, received } from '../order-handlers.js';

/**
 * The limit to compare with: the gateway's checks, the purchase-orders service's handlers and nothing in between. No Nest, no
 * Kafka, one process; the same token check, validation, transaction, answer and headers.
 */
export function createDirectServer(callers: Callers, handlers: OrderHandlers): FastifyInstance {
  const app = fastify({ genReqId: requestIdOf, requestIdHeader: false });
  // As in the gateway: nothing is read of a body before its sender is known.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.addHook('onRequest', async (request, reply) => {
    request.context = requestContextOf(request);
    reply.headers({ ...FIXED_HEADERS, 'x-request-id': request.id, 'cache-control': 'private, no-cache' });
    request.context.actor = await callers.identify(request.raw.headersDistinct['x-user-token'] ?? []);
  });
  app.setErrorHandler((error, request, reply) => {
    const problem = error instanceof ProblemError ? error : new ProblemError('INTERNAL');
    const { locale, path } = request.context;
    return reply
      .code(problem.status)
      .headers({ 'cache-control': 'no-store', 'content-language': locale, ...problem.options.headers })
      .type(PROBLEM_CONTENT_TYPE)
      .send(JSON.stringify(problemDocument(problem, { locale, instance: path, requestId: request.id })));
  });

  app.get('/api/purchase-orders/:poRef', async (request, reply) => {
    const { include } = queryOf(request, DetailParameters);
    const query = { poRef: poRefOf(request), includeLineItems: include !== undefined };
    const ifNoneMatch = request.headers['if-none-match'] ?? null;
    return send(await handlers.detail(query, contextOf(request, PATTERNS.detail, { ifNoneMatch })), reply);
  });

  app.post('/api/purchase-orders/:poRef/transition', async (request, reply) => {
    const body = await bodyOf(request, TransitionRequest);
    queryOf(request, NoQuery);
    const context = contextOf(request, PATTERNS.transition, writeConditionsOf(request));
    return send(await handlers.transition({ poRef: poRefOf(request), request: body }, context), reply);
  });
  return app;
}

function contextOf(request: FastifyRequest, pattern: RpcPattern, conditions: Partial<RpcContext>): RpcContext {
  const { locale, path, traceparent } = request.context;
  return {
    ...{ type: pattern.type, actor: actorOf(request), actorToken: '', requestId: request.id, method: request.method },
    ...received(pattern),
    ...{ locale, path, traceparent },
    ...{ idempotencyKey: null, idempotencyOrigin: 'minted', ifMatch: null, ifNoneMatch: null },
    ...conditions,
  };
}

function send(answer: Reply, reply: FastifyReply): FastifyReply {
  passOn({ status: answer.status, headers: answer.headers, body: Buffer.from(encoded(answer)) }, reply);
  return reply;
}

import 'reflect-metadata';
import { PROBLEM_CONTENT_TYPE, ProblemError, type RpcPattern, problemDocument } from '@po/contracts';
import { readConfig as readGatewayConfig } from '@po/gateway/dist/config.js';
import { actorOf, beginRequest, requestIdOf } from '@po/gateway/dist/http/request-context.js';
import { API_ROOT } from '@po/gateway/dist/http/route-table.js';
import type { ProxiedOperation } from '@po/gateway/dist/routes/operation.js';
import { PROXIED } from '@po/gateway/dist/routes/operations.js';
import { readRequest } from '@po/gateway/dist/routes/read-request.js';
import { sendResponse } from '@po/gateway/dist/routes/upstream.js';
import { type RpcContext, serializeBody } from '@po/messaging';
import { createLogger } from '@po/platform';
import { readConfig as readServiceConfig } from '@po/purchase-orders/dist/config.js';
import fastify, { type FastifyRequest } from 'fastify';
import { admissionBy, announceUrl, callersBy, orderHandlers, requestContext } from './order-handlers.js';

const gateway = readGatewayConfig();
const service = readServiceConfig();
const logger = createLogger('bench-direct', service.LOG_LEVEL);
const callers = callersBy(gateway, logger);
const handlers = await orderHandlers(service, logger);

/*
 * The lower limit: the gateway's checks and the order service's handlers in one process, without Nest and Kafka, with the same
 * token check, validation, transaction, answer and headers.
 */
const app = fastify({ genReqId: requestIdOf, requestIdHeader: false });
const admission = admissionBy(gateway, logger);
app.decorate('uploads', admission.uploads);
app.decorate('responses', admission.responses);
// As in the gateway, the sender is authenticated before the body is read.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', (_request, _payload, done) => done(null));
app.addHook('onRequest', async (request, reply) => {
  beginRequest(request, reply);
  request.context.caller = await callers.identify(request.raw.headersDistinct['x-user-token'] ?? []);
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
answer(PROXIED.getPurchaseOrder, handlers.detail);
answer(PROXIED.executeTransition, handlers.transition);
announceUrl(await app.listen({ host: gateway.HOST, port: gateway.PORT }));

function answer(operation: ProxiedOperation, handle: typeof handlers.detail): void {
  app.route({
    method: operation.method,
    url: API_ROOT + operation.path,
    handler: async (request, reply) => {
      const { conditions, ...read } = await readRequest(operation, request);
      const context = contextOf(request, operation.pattern, conditions);
      const answered = await handle(operation.payload(read), context);
      const { status, headers } = answered;
      sendResponse({ status, headers, body: Buffer.from(serializeBody(answered)) }, reply);
      return reply;
    },
  });
}

function contextOf(request: FastifyRequest, pattern: RpcPattern, conditions: Partial<RpcContext>): RpcContext {
  const { locale, path, span } = request.context;
  return {
    type: pattern.type,
    actor: actorOf(request),
    actorToken: '',
    requestId: request.id,
    method: request.method,
    ...requestContext(pattern),
    locale,
    path,
    traceparent: span.traceparent,
    reserve: () => Promise.resolve(),
    idempotencyKey: null,
    idempotencyOrigin: 'minted',
    ifMatch: null,
    ifNoneMatch: null,
    ...conditions,
  };
}

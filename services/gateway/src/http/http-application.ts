import { type DynamicModule, NotFoundException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ProblemError } from '@po/contracts';
import { type Health, type Logger, nestLogger, withSpan } from '@po/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Admission } from '../admission/admission.js';
import { recordRequest } from './access-log.js';
import { respondToMalformedRequest } from './client-errors.js';
import { limitPipelinedRequests } from './connections.js';
import { allowOrigins } from './cors.js';
import { type Page, servePages } from './pages.js';
import { ProblemFilter } from './problem.filter.js';
import { beginRequest, requestIdOf } from './request-context.js';
import { RouteTable } from './route-table.js';

const HEADERS_TIMEOUT_MS = 10_000;
const TIMEOUT_CHECK_MS = 1_000;
/** Longer than any response takes; four comment intervals of a live stream. */
const SILENT_MS = 60_000;
/** Longer than the 600 s of Google's load balancers: if a proxy sends a request while its connection is closed, the request fails. */
const KEEP_ALIVE_MS = 620_000;
const TCP_KEEP_ALIVE_MS = 60_000;
const IDLE_CHECK_MS = 50;
/** Longer than the 8 s that a write may take. Live streams end first, so this time ends 11 s after the drain delay. */
const CLOSE_ALL_AFTER_MS = 9_000;
/** Longer than any request head, so that the handlers judge every path parameter, and answer 404. */
const MAX_PARAMETER_LENGTH = 64 * 1024;

interface HttpOptions {
  corsOrigins: string[];
  /** Pages that need no token. */
  pages: readonly Page[];
  /** Registers other routes that need no token. */
  serve?: (instance: FastifyInstance) => Promise<void>;
  admission: Pick<Admission, 'uploads' | 'responses'>;
  health: Health;
  logger: Logger;
  /** Milliseconds after the start of closing at which every connection is closed; 9,000 if absent. */
  closeAllAfterMs?: number | undefined;
  /** Milliseconds without traffic after which a connection with an unanswered request is closed; 60,000 if absent. */
  silentAfterMs?: number | undefined;
}

/** Creates the HTTP application of the module's controllers and guards, ready to listen. */
export async function createHttpApplication(
  module: DynamicModule,
  options: HttpOptions,
): Promise<NestFastifyApplication> {
  const { corsOrigins, pages, serve, admission, health, logger } = options;
  const adapter = new FastifyAdapter({
    genReqId: requestIdOf,
    requestIdHeader: false,
    // Node includes the body in this time.
    requestTimeout: admission.uploads.requestMs,
    connectionTimeout: options.silentAfterMs ?? SILENT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      // Load balancers of layer 4 and NATs drop connections that are silent for some minutes, without telling anyone.
      keepAlive: true,
      keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => escapeUndecodablePath(url),
    clientErrorHandler: (error, socket) => respondToMalformedRequest(error, socket, logger),
    skipMiddie: true,
  });
  const instance: FastifyInstance = adapter.getInstance();
  instance.decorate('uploads', admission.uploads);
  instance.decorate('responses', admission.responses);
  const routes = new RouteTable();
  routes.observe(instance);
  disableBodyParsing(instance);
  closeConnections(instance, options.closeAllAfterMs ?? CLOSE_ALL_AFTER_MS);
  // Without a listener Node answers 417. An unknown expectation may be ignored.
  instance.server.on('checkExpectation', (request, response) => instance.routing(request, response));
  limitPipelinedRequests(instance);
  instance.addHook('onRequest', (request, reply, done) => {
    beginRequest(request, reply);
    // Fastify would refuse a malformed media type before the guards run, and a 415 must not come before a 401.
    delete request.raw.headers['content-type'];
    // Makes clients send their next request to another process, while this one still answers.
    if (health.isDraining) reply.header('connection', 'close');
    reply.raw.once('close', () => recordRequest(request, reply, logger));
    withSpan(request.context.span, () => done(refusalOf(request)));
  });
  await allowOrigins(instance, corsOrigins, routes);
  await serve?.(instance);
  await servePages(instance, pages);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: nestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  return app.useGlobalFilters(new ProblemFilter(routes, logger));
}

/** Error of a request that is refused before routing. */
function refusalOf({ headers, method, raw }: FastifyRequest): Error | undefined {
  // Node's own response to a missing Host is not a problem document.
  if (headers.host === undefined && raw.httpVersion === '1.1') return new ProblemError('BAD_REQUEST');
  // Fastify answers 400 to QUERY without a media type; it must get the 404 or 405 of any other method that no route has.
  return method === 'QUERY' ? new NotFoundException() : undefined;
}

function disableBodyParsing(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/**
 * When the server closes, Node closes only the connections that are idle. One whose request was answered while its body still arrived
 * becomes idle later, and would delay the end for as long as it is kept alive, longer than an orchestrator waits. A request whose body
 * never arrives would delay it forever, because Node stops checking for late requests.
 */
function closeConnections(instance: FastifyInstance, closeAllAfterMs: number): void {
  const { server } = instance;
  instance.addHook('preClose', (done) => {
    const closing = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS).unref();
    const closingAll = setTimeout(() => server.closeAllConnections(), closeAllAfterMs);
    server.once('close', () => {
      clearInterval(closing);
      clearTimeout(closingAll);
    });
    done();
  });
}

/** Escapes each "%" in a path that does not decode: the router would refuse it before any other check. */
function escapeUndecodablePath(target: string): string {
  const [path = '/'] = target.split('?', 1);
  try {
    decodeURIComponent(path);
    return target;
  } catch {
    return path.replaceAll('%', '%25') + target.slice(path.length);
  }
}

import { type DynamicModule, NotFoundException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ProblemError } from '@po/contracts';
import { type Health, type Logger, nestLogger, within } from '@po/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Admission } from '../admission/admission.js';
import { recordRequest } from './access-log.js';
import { answerGarbage } from './client-errors.js';
import { endGreedyConnections } from './connections.js';
import { allowOrigins } from './cors.js';
import { type Page, servePages } from './pages.js';
import { ProblemFilter } from './problem.filter.js';
import { beginAnswer, requestIdOf } from './request-context.js';
import { RouteTable } from './route-table.js';

const HEADERS_TIMEOUT_MS = 10_000;
const TIMEOUT_CHECK_MS = 1_000;
/** Longer than any answer takes, and four comments of a live stream. */
const SILENT_MS = 60_000;
const IDLE_CHECK_MS = 50;
/** Longer than the 8 s that a write may take. With the end of live streams before it, it is 11 s after the drain delay. */
const CLOSE_ALL_AFTER_MS = 9_000;
/** Longer than any header may be: what stands in a path is judged by the handlers, whose answer is 404. */
const MAX_PARAMETER_LENGTH = 64 * 1024;

interface HttpOptions {
  corsOrigins: string[];
  /** What anybody may read without a token. */
  pages: readonly Page[];
  /** Registers what else is served without a token. */
  serve?: (instance: FastifyInstance) => Promise<void>;
  admission: Pick<Admission, 'uploads' | 'answers'>;
  health: Health;
  logger: Logger;
  /** Milliseconds after the server begins to close at which it closes every connection; 9,000 if absent. */
  closeAllAfterMs?: number | undefined;
  /** Milliseconds after which a connection ends on which nothing moves though a request is not answered; 60,000 if absent. */
  silentAfterMs?: number | undefined;
}

/** The module's controllers and guards behind HTTP, ready to listen. */
export async function createHttpApplication(
  module: DynamicModule,
  options: HttpOptions,
): Promise<NestFastifyApplication> {
  const { corsOrigins, pages, serve, admission, health, logger } = options;
  const adapter = new FastifyAdapter({
    genReqId: requestIdOf,
    requestIdHeader: false,
    // Node counts the body in.
    requestTimeout: admission.uploads.requestMs,
    connectionTimeout: options.silentAfterMs ?? SILENT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => readableTarget(url),
    clientErrorHandler: (error, socket) => answerGarbage(error, socket, logger),
    skipMiddie: true,
  });
  const instance: FastifyInstance = adapter.getInstance();
  instance.decorate('uploads', admission.uploads);
  instance.decorate('answers', admission.answers);
  const routes = new RouteTable();
  routes.observe(instance);
  leaveBodiesUnread(instance);
  closeConnections(instance, options.closeAllAfterMs ?? CLOSE_ALL_AFTER_MS);
  // Without a listener Node answers 417 by itself; an expectation that is not known may be ignored.
  instance.server.on('checkExpectation', (request, response) => instance.routing(request, response));
  endGreedyConnections(instance);
  instance.addHook('onRequest', (request, reply, done) => {
    beginAnswer(request, reply);
    // Fastify would refuse a malformed media type before the guards ran, and a 415 must not come before a 401.
    delete request.raw.headers['content-type'];
    // Tells clients to take their next request elsewhere, while this process still answers.
    if (health.isDraining) reply.header('connection', 'close');
    reply.raw.once('close', () => recordRequest(request, reply, logger));
    within(request.context.span, () => done(refusalOf(request)));
  });
  await allowOrigins(instance, corsOrigins, routes);
  await servePages(instance, pages);
  await serve?.(instance);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: nestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  return app.useGlobalFilters(new ProblemFilter(routes, logger));
}

/** What is refused before a route is looked for. */
function refusalOf({ headers, method, raw }: FastifyRequest): Error | undefined {
  // Node's own answer to a missing Host would be no problem document.
  if (headers.host === undefined && raw.httpVersion === '1.1') return new ProblemError('BAD_REQUEST');
  // Fastify would miss its media type, and answer 400 instead of what another method that no route has is answered.
  return method === 'QUERY' ? new NotFoundException() : undefined;
}

function leaveBodiesUnread(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/**
 * When the server closes it closes what is idle then. A connection whose request was answered while its body still came is idle only
 * afterwards, and would hold up the end for as long as it is kept alive: longer than an orchestrator waits. A request whose body never comes
 * would do so for ever, since Node looks for late requests no more once the server closes.
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

/** A target whose path does not decode would be refused by the router before anything else: its "%" are taken as they stand. */
function readableTarget(target: string): string {
  const [path = '/'] = target.split('?', 1);
  try {
    decodeURIComponent(path);
    return target;
  } catch {
    return path.replaceAll('%', '%25') + target.slice(path.length);
  }
}

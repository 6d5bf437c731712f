import { canonicalPoRef } from '@po/contracts';
import { DURATION_BUCKETS, DistinctValueLimit, type Logger, OTHER, counterFromZero, traceIdOf } from '@po/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Histogram } from 'prom-client';
import { endRequestSpan } from './request-span.js';
import { METHODS, templateOf } from './route-table.js';

const durations = new Histogram({
  name: 'http_server_request_duration_seconds',
  help: 'Duration of HTTP requests, by method, route template and status',
  labelNames: ['method', 'route', 'status_code'],
  buckets: DURATION_BUCKETS,
});

const responses = counterFromZero('http_server_responses_total', 'Responses, by status class', {
  status_class: ['2xx', '3xx', '4xx', '5xx'],
});

/** The client left before the response, as nginx logs it: the status that the response has until then is 200. */
const CLIENT_LEFT = 499;
/** Unknown paths share one route: a label must not take a value from a client. */
const NO_ROUTE = '(none)';
/**
 * Limits the combinations of method, route and status below 500 that have their own series: more than the about 470 documented ones with
 * those of pages and unknown paths. The status is always kept.
 */
const distinguished = new DistinctValueLimit(600);

/** Records a finished request: one log line, one observation and the end of its span. `aborted` is true if the client disconnected. */
export function recordRequest(request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  const { context, method, params, id: requestId } = request;
  const { headersSent, statusCode, writableFinished } = reply.raw;
  const status = headersSent ? statusCode : CLIENT_LEFT;
  const endedAt = performance.now();
  const durationMs = endedAt - context.startedAt;
  const route = templateOf(request) ?? NO_ROUTE;
  // The time a stream was open says nothing about how fast it was answered.
  const answeredInMs = (context.streamsSince ?? endedAt) - context.startedAt;
  observe(METHODS.includes(method) ? method : OTHER, route, status, answeredInMs);
  endRequestSpan(request, writableFinished ? status : null);
  const poRef = canonicalPoRef((params as { poRef?: string } | undefined)?.poRef ?? '');
  logger[status < 500 ? 'info' : status === 500 ? 'error' : 'warn'](
    {
      requestId,
      traceId: traceIdOf(context.span.traceparent),
      method,
      route,
      status,
      durationMs: Math.round(durationMs * 10) / 10,
      actor: context.caller?.actor.sub,
      poRef: poRef ?? undefined,
      code: context.refusal ?? undefined,
      aborted: writableFinished ? undefined : true,
    },
    'request',
  );
}

/** Counts input that was not an HTTP request. */
export function recordMalformedRequest(status: number, reason: string | undefined, logger: Logger): void {
  observe(NO_ROUTE, NO_ROUTE, status, 0);
  logger.info({ route: NO_ROUTE, status, reason }, 'request');
}

function observe(method: string, route: string, status: number, ms: number): void {
  // A server error always has its own series, because it may be the first one of its route. An aborted request says nothing about a route.
  const isDistinguished =
    status >= 500 || (status !== CLIENT_LEFT && distinguished.accepts(`${method} ${route} ${status}`));
  const labels = isDistinguished ? { method, route } : { method: OTHER, route: OTHER };
  durations.observe({ ...labels, status_code: status }, ms / 1000);
  responses.inc({ status_class: `${Math.floor(status / 100)}xx` });
}

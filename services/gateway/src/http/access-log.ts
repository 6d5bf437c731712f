import { canonicalPoRef } from '@po/contracts';
import { DURATION_BUCKETS, FirstValues, type Logger, OTHER, traceIdOf } from '@po/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Histogram } from 'prom-client';
import { endRequestSpan } from './request-span.js';
import { API_ROOT, METHODS, templateOf } from './route-table.js';

const durations = new Histogram({
  name: 'http_server_request_duration_seconds',
  help: 'Duration of HTTP requests, by method, route template and status',
  labelNames: ['method', 'route', 'status_code'],
  buckets: DURATION_BUCKETS,
});

const responses = new Counter({
  name: 'http_server_responses_total',
  help: 'Responses, by status class',
  labelNames: ['status_class'],
});
// Alerts on failures use increase(), which does not see the first one of a series that begins with it.
for (const status of [200, 300, 400, 500]) responses.inc({ status_class: classOf(status) }, 0);

/** Unknown paths are one route: a label must not take what a client made up. */
const NO_ROUTE = '(none)';
/**
 * Combinations of method, route and status that are distinguished: the API declares some two hundred, and with all of them a process would
 * have more than 2,000 series. Statuses are never lost.
 */
const distinguished = new FirstValues(80);
/** Always distinguished, because the alert on latency leaves it out by its route: a download takes as long as its client. */
const EXPORTS = `${API_ROOT}/purchase-order-exports`;

/** One line, one observation and the end of its span for a request, also for one whose client went away: then `aborted` is true. */
export function recordRequest(request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  const { context, method, params, id: requestId } = request;
  const { statusCode: status, writableFinished } = reply.raw;
  const endedAt = performance.now();
  const durationMs = endedAt - context.startedAt;
  const route = templateOf(request) ?? NO_ROUTE;
  // How long a stream was open says nothing of how fast it was answered.
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

/** Counts what was no HTTP request at all. */
export function recordGarbage(status: number, reason: string | undefined, logger: Logger): void {
  observe(NO_ROUTE, NO_ROUTE, status, 0);
  logger.info({ route: NO_ROUTE, status, reason }, 'request');
}

function observe(method: string, route: string, status: number, ms: number): void {
  const isDistinguished = route === EXPORTS || distinguished.has(`${method} ${route} ${status}`);
  const labels = isDistinguished ? { method, route } : { method: OTHER, route: OTHER };
  durations.observe({ ...labels, status_code: status }, ms / 1000);
  responses.inc({ status_class: classOf(status) });
}

function classOf(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}

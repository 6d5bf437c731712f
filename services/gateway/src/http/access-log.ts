import { canonicalPoRef } from '@po/contracts';
import { DURATION_BUCKETS, type Logger, traceIdOf } from '@po/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Histogram } from 'prom-client';
import { ANY_PATH } from './route-table.js';

const durations = new Histogram({
  name: 'http_server_request_duration_seconds',
  help: 'Duration of HTTP requests, by method, route template and status',
  labelNames: ['method', 'route', 'status_code'],
  buckets: DURATION_BUCKETS,
});

const NO_ROUTE = '(none)';

/** One line and one observation a request, also for one whose client went away: then `aborted` is true. */
export function recordRequest(request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  const { context, method, params, id: requestId } = request;
  const { statusCode: status, writableFinished } = reply.raw;
  const endedAt = performance.now();
  const durationMs = endedAt - context.startedAt;
  const route = templateOf(request);
  // How long a stream was open says nothing of how fast it was answered.
  const answeredInMs = (context.streamsSince ?? endedAt) - context.startedAt;
  durations.observe({ method, route, status_code: status }, answeredInMs / 1000);
  const poRef = canonicalPoRef((params as { poRef?: string } | undefined)?.poRef ?? '');
  logger[status < 500 ? 'info' : status === 500 ? 'error' : 'warn'](
    {
      requestId,
      traceId: traceIdOf(context.traceparent),
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
  durations.observe({ method: NO_ROUTE, route: NO_ROUTE, status_code: status }, 0);
  logger.info({ route: NO_ROUTE, status, reason }, 'request');
}

// The preflight's catch-all and unknown paths are one route each: a label must not take what a client made up.
function templateOf({ routeOptions: { url = ANY_PATH } }: FastifyRequest): string {
  return url === ANY_PATH ? NO_ROUTE : url;
}

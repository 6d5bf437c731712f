import { type Span, continueTrace } from '@po/platform';
import type { FastifyRequest } from 'fastify';
import { METHODS, templateOf } from './route-table.js';

/** A span must not be named after a method that a client made up. */
const OTHER = { name: 'HTTP', method: '_OTHER' };

const methodOf = (method: string) => (METHODS.includes(method) ? { name: method, method } : OTHER);

/** Begins the span of a request, in the trace of the client if the request has one. */
export function beginRequestSpan({ method: given, headers }: FastifyRequest): Span<'request'> {
  const { name, method } = methodOf(given);
  return continueTrace('request', name, headers.traceparent as string | undefined, { 'http.request.method': method });
}

/** Ends the span when the response is sent, or when a stream starts. `status` is null if the client disconnected before. */
export function endRequestSpan(request: FastifyRequest, status: number | null): void {
  const { span, refusal } = request.context;
  if (!span.isRecorded) return;
  const route = templateOf(request);
  if (route !== null) span.rename(`${methodOf(request.method).name} ${route}`);
  span.set({ 'http.route': route ?? undefined, 'http.response.status_code': status ?? undefined });
  span.end(status !== null && status >= 500 ? (refusal ?? String(status)) : undefined);
}

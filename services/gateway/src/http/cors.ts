import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RouteTable } from './route-table.js';

const EXPOSED = [
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'X-Total-Count',
  'X-Unread-Count',
  'Idempotency-Replayed',
  'Content-Disposition',
];
const ACCEPTED = [
  'X-User-Token',
  'Content-Type',
  'Accept-Language',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Last-Event-ID',
  'X-Request-Id',
  'traceparent',
];
const PREFLIGHT_MAX_AGE_S = 600;

/** Lets pages of these origins, and no others, call the API. Without origins a preflight is a method that no route has. */
export async function allowOrigins(instance: FastifyInstance, origins: string[], routes: RouteTable): Promise<void> {
  if (origins.length === 0) return;
  await instance.register(cors, {
    delegator: (request: FastifyRequest, callback: (error: Error | null, options?: FastifyCorsOptions) => void) => {
      const methods = routes.methodsOf(request.context.path);
      const isPreflight =
        request.headers.origin !== undefined && request.headers['access-control-request-method'] !== undefined;
      // If off, the request continues to the 404 of an unknown path or the 405 of an unsupported method.
      const off = request.method === 'OPTIONS' && (methods.length === 0 || !isPreflight);
      callback(null, {
        origin: off ? false : origins,
        methods,
        allowedHeaders: ACCEPTED,
        exposedHeaders: EXPOSED,
        maxAge: PREFLIGHT_MAX_AGE_S,
      });
    },
  });
}

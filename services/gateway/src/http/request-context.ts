import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Actor, type Locale, localeOf } from '@po/contracts';
import type { Span } from '@po/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FIXED_HEADERS } from './fixed-headers.js';
import { beginRequestSpan } from './request-span.js';

/** The caller, and how long the token is valid. */
export interface Caller {
  actor: Actor;
  /** Epoch seconds of the token's `iat`: of two tokens of a user, the later one has the valid claims. */
  issuedAt: number;
  /** Epoch milliseconds of the token's `exp`. A request is accepted for some time after that, a stream is not. */
  expiresAt: number;
  /** Whether the token would be refused now, for example because its key was removed. False also if that is unknown. */
  isRefused: () => Promise<boolean>;
}

/** What the gateway knows about a request, apart from HTTP. */
export interface RequestContext {
  locale: Locale;
  span: Span<'request'>;
  /** Path without the query, as the client sent it. */
  path: string;
  contentType: string | undefined;
  /** Milliseconds of the performance clock. */
  startedAt: number;
  /** Null before authentication. */
  caller: Caller | null;
  /** Milliseconds of the performance clock at which a stream started; null for any other response. */
  streamsSince: number | null;
  /** Code of the problem in the response; null if there is none. */
  refusal: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext;
  }
}

/** The client's request id if it is well-formed, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Creates the request's context and sets the headers of every response. */
export function beginRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.context = requestContextOf(request);
  reply.headers({ ...FIXED_HEADERS, 'x-request-id': request.id, 'cache-control': 'private, no-cache' });
}

function requestContextOf(request: FastifyRequest): RequestContext {
  const { headers } = request;
  return {
    locale: localeOf(headers['accept-language']),
    span: beginRequestSpan(request),
    path: pathOf(request.originalUrl),
    contentType: headers['content-type'],
    startedAt: performance.now(),
    caller: null,
    streamsSince: null,
    refusal: null,
  };
}

/** The caller of an authenticated request. Throws for any other. */
export function callerOf({ context }: FastifyRequest): Caller {
  if (!context.caller) throw new Error('this request did not pass the authentication');
  return context.caller;
}

/** The actor of an authenticated request. */
export const actorOf = (request: FastifyRequest): Actor => callerOf(request).actor;

/** The path of a request target, which may be an absolute URL. */
function pathOf(target: string): string {
  const path = target.startsWith('/') || !URL.canParse(target) ? target : new URL(target).pathname;
  return path.split(/[?#]/, 1)[0] ?? '/';
}

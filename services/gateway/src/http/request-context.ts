import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Actor, type Locale, localeOf } from '@po/contracts';
import type { Span } from '@po/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FIXED_HEADERS } from './fixed-headers.js';
import { beginRequestSpan } from './request-span.js';

/** Who calls, and until when the token says so. */
export interface Caller {
  actor: Actor;
  /** Epoch seconds of the token's `iat`: of two tokens of a user the later one says who they are. */
  issuedAt: number;
  /** Epoch milliseconds of the token's `exp`. A request passes for a while longer, a stream does not. */
  expiresAt: number;
  /** Whether the token would be refused by now, as one is whose key is gone. False also while that cannot be told. */
  isRefused: () => Promise<boolean>;
}

/** What the gateway knows of a request beside what HTTP says. */
export interface RequestContext {
  locale: Locale;
  span: Span<'request'>;
  /** Path without its query, as the client wrote it. */
  path: string;
  contentType: string | undefined;
  /** Performance clock, milliseconds. */
  startedAt: number;
  /** Null until the authentication passed. */
  caller: Caller | null;
  /** Performance clock, milliseconds: when an answer that goes on for as long as its client likes began. */
  streamsSince: number | null;
  /** Code of the problem that was answered, if one was. */
  refusal: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext;
  }
}

/** The client's request id where it is one, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Reads what every later step needs, and sets the headers that every answer has. */
export function beginAnswer(request: FastifyRequest, reply: FastifyReply): void {
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

/** Of a request that passed the authentication. */
export function callerOf({ context }: FastifyRequest): Caller {
  if (!context.caller) throw new Error('this request did not pass the authentication');
  return context.caller;
}

/** The caller of a request that passed the authentication. */
export const actorOf = (request: FastifyRequest): Actor => callerOf(request).actor;

/** The path of a request target, which may be a whole URL. */
function pathOf(target: string): string {
  const path = target.startsWith('/') || !URL.canParse(target) ? target : new URL(target).pathname;
  return path.split(/[?#]/, 1)[0] ?? '/';
}

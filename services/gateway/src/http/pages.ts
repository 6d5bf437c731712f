import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Locale, ProblemError, localeOf } from '@po/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A page served without a token. Its content depends on nothing but the language. */
export interface Page {
  /** Exact path of the request. */
  path: string;
  /** Route template for metrics and logs; several pages may share one. */
  route: string;
  mediaType: string;
  /** One text, or one per language. */
  content: Buffer | Record<Locale, Buffer>;
  /** The one text, compressed in advance; if absent, the gateway compresses it with gzip. */
  encoded?: Record<'br' | 'gzip', Buffer>;
  /** What a browser may load for the page; absent = nothing, as for every response. */
  contentSecurityPolicy?: string;
  /** The path changes with the content. */
  immutable: boolean;
}

/** Bytes and headers as sent over the wire. */
interface Representation {
  bytes: Buffer;
  headers: Record<string, string>;
}

/** In order of preference. */
const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];
type Representations = Record<Locale, { identity: Representation } & Partial<Record<Coding, Representation>>>;

const compress = promisify(gzip);

/**
 * Serves these pages and no other path. Their routes are on Fastify, because Nest's guards apply to every route of Nest, and none of those
 * can be declared open.
 */
export async function servePages(instance: FastifyInstance, pages: readonly Page[]): Promise<void> {
  const prepared = await Promise.all(pages.map(async (page) => [page.path, await representationsOf(page)] as const));
  const byPath = new Map(prepared);
  for (const route of new Set(pages.map((page) => page.route))) {
    instance.get(route, (request, reply) => {
      const representations = byPath.get(request.context.path);
      if (!representations) throw new ProblemError('ROUTE_NOT_FOUND');
      const inLanguage = representations[languageOf(request)];
      const coding = CODINGS.find((known) => inLanguage[known] && accepts(request, known));
      const { bytes, headers } = (coding && inLanguage[coding]) ?? inLanguage.identity;
      reply.headers({ ...headers, vary: `${String(reply.getHeader('vary'))}, Accept-Encoding` });
      return isKnown(request, headers.etag) ? reply.code(304).send() : reply.send(bytes);
    });
  }
}

async function representationsOf({
  content,
  encoded,
  mediaType,
  contentSecurityPolicy,
  immutable,
}: Page): Promise<Representations> {
  const fixed = {
    'content-type': mediaType,
    ...(contentSecurityPolicy && { 'content-security-policy': contentSecurityPolicy }),
    'cache-control': immutable ? 'public, max-age=31536000, immutable' : 'public, no-cache',
  };
  const represent = async (text: Buffer, language: Record<string, string>) => {
    const of = (bytes: Buffer, encoding: Record<string, string> = {}): Representation => {
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
      return { bytes, headers: { ...fixed, ...language, ...encoding, etag } };
    };
    const gzip = encoded?.gzip ?? (await compress(text, { level: 9 }));
    return {
      identity: of(text),
      gzip: of(gzip, { 'content-encoding': 'gzip' }),
      ...(encoded && { br: of(encoded.br, { 'content-encoding': 'br' }) }),
    };
  };
  if (Buffer.isBuffer(content)) {
    const only = await represent(content, {});
    return { en: only, zh: only };
  }
  const [en, zh] = await Promise.all([
    represent(content.en, { 'content-language': 'en' }),
    represent(content.zh, { 'content-language': 'zh' }),
  ]);
  return { en, zh };
}

/** `?lang=en` or `?lang=zh`, as in the links of the pages; else the browser's preference. */
function languageOf({ context, raw }: FastifyRequest): Locale {
  const requested = /[?&]lang=(en|zh)(?:&|$)/.exec(raw.url ?? '')?.[1];
  return requested === undefined ? context.locale : localeOf(requested);
}

function accepts({ headers }: FastifyRequest, coding: Coding): boolean {
  const wanted = new RegExp(`^\\s*${coding}(?![-\\w])(?!\\s*;\\s*q=0(?:\\.0*)?\\s*$)`, 'i');
  return String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((accepted) => wanted.test(accepted));
}

function isKnown({ headers }: FastifyRequest, etag: string | undefined): boolean {
  const tags = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || (etag !== undefined && tags.includes(etag));
}

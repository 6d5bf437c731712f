import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Locale, ProblemError, localeOf } from '@po/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What is served to anybody, without a token: nothing in it depends on who asks, but for the language. */
export interface Page {
  /** Of a request, exactly. */
  path: string;
  /** Template that it is counted and logged by; several pages may share one. */
  route: string;
  mediaType: string;
  /** One text, or one a language. */
  content: Buffer | Record<Locale, Buffer>;
  /** The one text as it was compressed beforehand; absent = it is compressed here, by gzip. */
  encoded?: Record<'br' | 'gzip', Buffer>;
  /** What a browser may load for it; absent = nothing, as for every answer. */
  contentSecurityPolicy?: string;
  /** The path changes with the content. */
  immutable: boolean;
}

/** Bytes as they go over the wire. */
interface Representation {
  bytes: Buffer;
  headers: Record<string, string>;
}

/** Best first. */
const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number];
type Representations = Record<Locale, { identity: Representation } & Partial<Record<Coding, Representation>>>;

const compress = promisify(gzip);

/**
 * Serves these pages and no other path. They stand on Fastify, beside Nest: its guards hold for every route that is Nest's, and there is
 * no way to declare one of those open.
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

/** `?lang=en` or `?lang=zh`, as the pages' own links have it; else what the browser prefers. */
function languageOf({ context, raw }: FastifyRequest): Locale {
  const asked = /[?&]lang=(en|zh)(?:&|$)/.exec(raw.url ?? '')?.[1];
  return asked === undefined ? context.locale : localeOf(asked);
}

function accepts({ headers }: FastifyRequest, coding: Coding): boolean {
  const wanted = new RegExp(`^\\s*${coding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*$)`, 'i');
  return String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((accepted) => wanted.test(accepted));
}

function isKnown({ headers }: FastifyRequest, etag: string | undefined): boolean {
  const tags = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || (etag !== undefined && tags.includes(etag));
}

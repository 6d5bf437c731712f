import { randomBytes } from 'node:crypto';
import { NotFoundException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import { servePages } from '../http/pages.js';
import { ANY_PATH } from '../http/route-table.js';
import { CLIENT_ROUTES, NONCE, NOT_ITS_OWN, SILENT_ROUTE, policyOf } from './rules.js';
import { type Site, readSite } from './site.js';

/** What the pages sign in with. */
export interface PortalSettings {
  /** The identity provider's issuer URL, below which its discovery document is. */
  authority: string;
  clientId: string;
  scope: string;
  /** Further origins that the identity provider's endpoints are on. */
  origins: readonly string[];
}

const NONCE_BYTES = 16;

/** What serves the portal by this configuration; undefined where that is not wanted. */
export function portalOf(config: Config): ((instance: FastifyInstance) => Promise<void>) | undefined {
  const { PORTAL, PORTAL_OIDC_AUTHORITY: authority, PORTAL_OIDC_CLIENT_ID: clientId } = config;
  if (!PORTAL || authority === undefined || clientId === undefined) return undefined;
  const { PORTAL_OIDC_SCOPE: scope, PORTAL_OIDC_ORIGINS: origins } = config;
  const site = readSite();
  return (instance) => servePortal(instance, site, { authority, clientId, scope, origins });
}

/** Serves the portal's pages and files, to anybody: what is in them is public, and all that they show they ask the API for. */
export async function servePortal(instance: FastifyInstance, site: Site, settings: PortalSettings): Promise<void> {
  const { authority, clientId, scope, origins } = settings;
  const providers = [...new Set([new URL(authority).origin, ...origins])].join(' ');
  const configuration = JSON.stringify({ authority, clientId, scope });
  const sendPage = (reply: FastifyReply, html: string, ancestors: "'none'" | "'self'") => {
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    return reply
      .headers({ 'cache-control': 'no-store', 'content-security-policy': policyOf(nonce, providers, ancestors) })
      .type('text/html; charset=utf-8')
      .send(html.replaceAll(NONCE, nonce));
  };
  for (const route of CLIENT_ROUTES) {
    instance.get(route, (_request, reply) => sendPage(reply, site.index, "'none'"));
  }
  instance.get(SILENT_ROUTE, (_request, reply) => {
    reply.header('x-frame-options', 'SAMEORIGIN');
    return sendPage(reply, site.signedInSilently, "'self'");
  });
  instance.get('/portal.json', (_request, reply) =>
    reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(configuration),
  );
  // Whoever mistypes an address sees the portal's own page for that; a program is answered as everywhere.
  instance.get(ANY_PATH, (request, reply) => {
    if (!isLostVisitor(request)) throw new NotFoundException();
    return sendPage(reply.code(404), site.index, "'none'");
  });
  await servePages(instance, site.files);
}

function isLostVisitor({ context, headers }: FastifyRequest): boolean {
  const isOthers = NOT_ITS_OWN.some((root) => context.path === root || context.path.startsWith(`${root}/`));
  return !isOthers && headers.accept?.includes('text/html') === true;
}

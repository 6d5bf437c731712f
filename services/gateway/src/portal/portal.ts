import { randomBytes } from 'node:crypto';
import { NotFoundException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import { servePages } from '../http/pages.js';
import { ANY_PATH } from '../http/route-table.js';
import { CLIENT_ROUTES, NONCE, RESERVED_ROOTS, SILENT_ROUTE, policyOf } from './rules.js';
import { type Site, readSite } from './site.js';

/** Sign-in settings of the portal. */
export interface PortalSettings {
  /** Issuer URL of the identity provider; the discovery document is below it. */
  authority: string;
  clientId: string;
  scope: string;
  /** Further origins of the identity provider's endpoints. */
  origins: readonly string[];
}

const NONCE_BYTES = 16;

/** Returns the function that serves the portal; undefined if it is turned off. */
export function portalOf(config: Config): ((instance: FastifyInstance) => Promise<void>) | undefined {
  const { PORTAL, PORTAL_OIDC_AUTHORITY: authority, PORTAL_OIDC_CLIENT_ID: clientId } = config;
  if (!PORTAL || authority === undefined || clientId === undefined) return undefined;
  const { PORTAL_OIDC_SCOPE: scope, PORTAL_OIDC_ORIGINS: origins } = config;
  const site = readSite();
  return (instance) => servePortal(instance, site, { authority, clientId, scope, origins });
}

/** Serves the portal's pages and files without a token: they are public, and all data in them comes from the API. */
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
  // A browser with a mistyped address gets the portal's own page for that; a program gets the usual problem.
  instance.get(ANY_PATH, (request, reply) => {
    if (!wantsPage(request)) throw new NotFoundException();
    return sendPage(reply.code(404), site.index, "'none'");
  });
  await servePages(instance, site.files);
}

function wantsPage({ context, headers }: FastifyRequest): boolean {
  const isReserved = RESERVED_ROOTS.some((root) => context.path === root || context.path.startsWith(`${root}/`));
  return !isReserved && headers.accept?.includes('text/html') === true;
}

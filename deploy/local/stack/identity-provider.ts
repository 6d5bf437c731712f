import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HOST } from '../processes/ports.js';
import { DEMO_USERS } from '../demo/users.js';
import { type DemoIdentity, demoToken } from './demo-token.js';
import { publicPart } from './keys.js';
import { authorize } from './sign-in/authorization.js';
import { Codes } from './sign-in/codes.js';
import { messagePage, pagePolicy, signInPage } from './sign-in/page.js';
import type { PortalClient } from './sign-in/portal-client.js';
import { Sessions } from './sign-in/sessions.js';

const JWKS_PATH = '/.well-known/jwks.json';
/** Lifetime of the portal's tokens, which it renews silently. */
const LIFETIME_S = 15 * 60;
const MAX_FORM_LENGTH = 16 * 1024;

export interface IdentityProviderOptions {
  identity: DemoIdentity;
  client: PortalClient;
  /** 0 for any free port. */
  port: number;
  host?: string;
  /** URL for browsers; the listening address if absent. */
  authority?: string;
  tokenLifetimeS?: number;
}

export interface RunningIdentityProvider {
  /** Issuer URL and base of the discovery document. */
  authority: string;
  jwksUrl: string;
  stop: () => Promise<void>;
}

/**
 * Starts the demo provider: it serves its public key, and the authorization code flow with PKCE for the portal with access tokens from
 * `demoToken`. There are no passwords and no refresh tokens.
 */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<RunningIdentityProvider> {
  const { identity, client, port, host = HOST, tokenLifetimeS = LIFETIME_S } = options;
  const codes = new Codes();
  const sessions = new Sessions(identity.key.kid);
  let authority = options.authority ?? '';

  const idToken = (grant: { user: keyof typeof DEMO_USERS; nonce: string | null }) =>
    demoToken(identity, grant.user, { ...lifetime(), iss: authority, aud: client.id, nonce: grant.nonce });
  const lifetime = () => {
    const now = Math.floor(Date.now() / 1000);
    return { iat: now, exp: now + tokenLifetimeS };
  };

  const routes: Record<string, (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> | void> =
    {
      [`GET ${JWKS_PATH}`]: (_request, response) => sendJson(response, 200, { keys: [publicPart(identity.key)] }),
      'GET /.well-known/openid-configuration': (_request, response) =>
        sendJson(response, 200, discoveryDocument(authority)),
      'GET /authorize': (request, response, { searchParams }) => {
        const outcome = authorize(searchParams, { client, codes, session: sessions.userOf(request.headers.cookie) });
        if (outcome.kind === 'refused')
          return sendPage(response, 400, (nonce) => messagePage('Not possible', outcome.reason, nonce));
        if (outcome.kind === 'ask') return sendPage(response, 200, (nonce) => signInPage(searchParams, nonce));
        if (outcome.user) response.setHeader('set-cookie', sessions.headerFor(outcome.user));
        redirect(response, outcome.to);
      },
      'POST /token': async (request, response) => {
        const form = await readForm(request);
        const refuse = (error: string, status = 400) => sendJson(response, status, { error });
        if (form.get('client_id') !== client.id) return refuse('invalid_client', 401);
        if (form.get('grant_type') !== 'authorization_code') return refuse('unsupported_grant_type');
        const grant = codes.redeem(form.get('code') ?? '', {
          redirectUri: form.get('redirect_uri') ?? '',
          verifier: form.get('code_verifier') ?? '',
        });
        if (!grant) return refuse('invalid_grant');
        sendJson(response, 200, {
          access_token: await demoToken(identity, grant.user, lifetime()),
          id_token: await idToken(grant),
          token_type: 'Bearer',
          expires_in: tokenLifetimeS,
          scope: grant.scope,
        });
      },
      'GET /end-session': (_request, response, { searchParams }) => {
        response.setHeader('set-cookie', sessions.headerFor(null));
        const to = searchParams.get('post_logout_redirect_uri') ?? '';
        if (client.signedOutUris.includes(to)) redirect(response, to);
        else sendPage(response, 200, (nonce) => messagePage('Signed out', 'You may close this page.', nonce));
      },
    };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://provider');
    allowOrigin(request, response, client);
    const route = routes[`${request.method} ${url.pathname}`];
    if (route) await route(request, response, url);
    else sendJson(response, 404, { error: 'not_found' });
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      sendJson(response, 400, { error: 'invalid_request', error_description: String(error) }),
    );
  });
  await once(server.listen(port, host), 'listening');
  const url = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  authority ||= url;
  return {
    authority,
    jwksUrl: url + JWKS_PATH,
    stop: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

/** `demo_users` is not part of OpenID Connect Discovery: the portal lets users switch to one of them. */
const discoveryDocument = (authority: string) => ({
  issuer: authority,
  authorization_endpoint: `${authority}/authorize`,
  token_endpoint: `${authority}/token`,
  end_session_endpoint: `${authority}/end-session`,
  jwks_uri: authority + JWKS_PATH,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  token_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  scopes_supported: ['openid', 'profile', 'email'],
  demo_users: Object.entries(DEMO_USERS).map(([login_hint, user]) => ({ login_hint, ...user })),
});

function allowOrigin({ headers }: IncomingMessage, response: ServerResponse, { origins }: PortalClient): void {
  response.setHeader('vary', 'Origin');
  if (headers.origin && origins.includes(headers.origin)) {
    response.setHeader('access-control-allow-origin', headers.origin);
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}

function sendPage(response: ServerResponse, status: number, render: (nonce: string) => string): void {
  const nonce = randomBytes(16).toString('base64');
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': pagePolicy(nonce),
    })
    .end(render(nonce));
}

function redirect(response: ServerResponse, to: string): void {
  response.writeHead(302, { location: to, 'cache-control': 'no-store' }).end();
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk as string;
    if (text.length > MAX_FORM_LENGTH) throw new Error('the form is too long');
  }
  return new URLSearchParams(text);
}

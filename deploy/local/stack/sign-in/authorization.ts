import { type DemoUserName, isDemoUser } from '../../demo/users.js';
import type { Codes } from './codes.js';
import type { PortalClient } from './portal-client.js';

/** The response of the provider to an authorization request. */
export type Outcome =
  /** The redirect URI cannot be trusted. */
  | { kind: 'refused'; reason: string }
  /** `user`: the newly signed-in user; absent if unchanged. */
  | { kind: 'back'; to: string; user?: DemoUserName }
  /** The user must choose an account. */
  | { kind: 'ask' };

/**
 * Handles an authorization request. A demo user in `login_hint` is signed in at once; a real provider would only prefill the name.
 */
export function authorize(
  query: URLSearchParams,
  { client, session, codes }: { client: PortalClient; session: DemoUserName | null; codes: Codes },
): Outcome {
  const redirectUri = query.get('redirect_uri') ?? '';
  if (query.get('client_id') !== client.id) return { kind: 'refused', reason: 'unknown client_id' };
  if (!client.redirectUris.includes(redirectUri)) {
    return { kind: 'refused', reason: `redirect_uri must be one of ${client.redirectUris.join(', ')}` };
  }
  const back = (parameters: Record<string, string>): string => {
    const url = new URL(redirectUri);
    const state = query.get('state');
    for (const [name, value] of Object.entries({ ...parameters, ...(state !== null && { state }) })) {
      url.searchParams.set(name, value);
    }
    return url.href;
  };
  const refuse = (error: string, description: string): Outcome => ({
    kind: 'back',
    to: back({ error, error_description: description }),
  });
  const problem = problemOf(query);
  if (problem) return refuse(...problem);

  const prompt = query.get('prompt');
  const hint = query.get('login_hint') ?? '';
  const hinted = isDemoUser(hint) ? hint : null;
  const silent = prompt === 'none';
  const user = silent ? session : (hinted ?? (prompt === null ? session : null));
  if (silent && (user === null || (hinted !== null && hinted !== user))) {
    return refuse('login_required', 'no user or another user is signed in');
  }
  if (user === null) return { kind: 'ask' };
  const code = codes.issue({
    user,
    redirectUri,
    challenge: query.get('code_challenge') ?? '',
    nonce: query.get('nonce'),
    scope: query.get('scope') ?? '',
  });
  return { kind: 'back', to: back({ code }), user };
}

function problemOf(query: URLSearchParams): [error: string, description: string] | null {
  if (query.get('response_type') !== 'code') return ['unsupported_response_type', 'response_type must be code'];
  if (!/^[\w-]{43}$/.test(query.get('code_challenge') ?? '') || query.get('code_challenge_method') !== 'S256') {
    return ['invalid_request', 'PKCE is needed: code_challenge with code_challenge_method S256'];
  }
  if (!(query.get('scope') ?? '').split(' ').includes('openid')) return ['invalid_scope', 'scope must hold openid'];
  return null;
}

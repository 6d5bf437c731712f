import { pino } from 'pino';
import { ALGORITHMS, KeySet } from '../../services/gateway/src/authentication/key-set.js';
import { type TokenSettings, TokenVerifier } from '../../services/gateway/src/authentication/token.js';
import { eventually } from './eventually.js';
import { IdentityProvider, signingKey } from './identity-provider.js';

export const rsa = signingKey('rsa', 'RS256');
export const ec = signingKey('ec', 'ES256');
export const ed = signingKey('ed', 'EdDSA');

/** A verifier of the tokens of an identity provider of its own, whose key set it has. */
export async function openVerifier({ maxAgeS = 300 } = {}) {
  const provider = await IdentityProvider.start();
  provider.keys = [ec, rsa, ed];
  const logger = pino({ level: 'silent' });
  const keys = new KeySet({ url: provider.url, algorithms: ALGORITHMS, maxAgeS, staleS: 3600, logger });
  keys.start();
  await eventually('the key set is there', () => keys.available);
  const { issuer, audience } = provider;
  const claims = { email: 'email', name: 'name', role: 'role', vendorCode: 'vendor_code', locale: 'locale' };
  const settings: TokenSettings = { issuer, audience, algorithms: ALGORITHMS, maxLifetimeS: 86_400, claims };
  return {
    ...{ provider, keys, settings },
    verifier: new TokenVerifier(keys, settings),
    close: async () => {
      keys.stop();
      await provider.stop();
    },
  };
}
export type OpenVerifier = Awaited<ReturnType<typeof openVerifier>>;

/** A header as the key `ec` needs it. */
export const header = (overrides: Record<string, unknown> = {}) => ({ alg: 'ES256', kid: 'ec', ...overrides });

/** The code a token is refused with; null for one that is accepted. */
export const refusalBy = (verifier: TokenVerifier, token: string): Promise<string | null> =>
  verifier.verify(token).then(
    () => null,
    (error: { code: string }) => error.code,
  );

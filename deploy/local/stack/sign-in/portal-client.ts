/** The portal as a client of the demo provider: a public client, which is protected only by PKCE. */
export interface PortalClient {
  id: string;
  /** Only these exact URIs may receive a code. */
  redirectUris: readonly string[];
  signedOutUris: readonly string[];
  /** Only pages of these origins may request tokens. */
  origins: readonly string[];
}

export const PORTAL_CLIENT_ID = 'po-portal';
/** Origin of the portal's development server: npm run dev:portal. */
const DEVELOPMENT = 'http://127.0.0.1:5173';

/** The portal client for these gateways, at 127.0.0.1 as well as at localhost. */
export function portalClient(gateways: readonly string[]): PortalClient {
  const named = gateways.flatMap((url) => [url, url.replace('//127.0.0.1:', '//localhost:')]);
  const origins = [...new Set([...named, DEVELOPMENT])];
  return {
    id: PORTAL_CLIENT_ID,
    redirectUris: origins.flatMap((origin) => [`${origin}/signed-in`, `${origin}/signed-in/silently`]),
    signedOutUris: origins.map((origin) => `${origin}/signed-out`),
    origins,
  };
}

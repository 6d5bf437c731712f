/** The portal, as the demo provider knows it: a public client, which proves itself by PKCE alone. */
export interface PortalClient {
  id: string;
  /** Exactly these may get a code. */
  redirectUris: readonly string[];
  signedOutUris: readonly string[];
  /** Pages of these, and no others, may ask for tokens. */
  origins: readonly string[];
}

export const PORTAL_CLIENT_ID = 'po-portal';
/** Where the portal's pages are while somebody works on them: npm run dev:portal. */
const DEVELOPMENT = 'http://127.0.0.1:5173';

/** The portal behind these gateways, by their address and by the machine's other name for itself. */
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

import { API_ROOT } from '../http/route-table.js';

/** Routes of the portal's own router, and those that a sign-in returns to. */
export const CLIENT_ROUTES = [
  '/',
  '/orders',
  '/orders/:poRef',
  '/dashboard',
  '/import',
  '/preferences',
  '/approval-policies',
  '/signed-in',
  '/signed-out',
];
export const SILENT_ROUTE = '/signed-in/silently';
/** An unknown path below one of these is answered with a problem, not with the portal's page. */
export const RESERVED_ROOTS = [API_ROOT, '/docs', '/problems', '/assets'];
/** The licence texts of the bundled packages, which must be distributed with them. */
export const LICENCES = '/third-party-licences.txt';
/** Files of `/assets` with other extensions are not served. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};
/** Placeholder that the portal's build writes into the pages; each response replaces it with its nonce. */
export const NONCE = '__CSP_NONCE__';

/** Allows the portal's own files, the API, the identity provider, and the style elements that its script adds with the nonce. */
export function policyOf(nonce: string, providers: string, ancestors: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `connect-src 'self' ${providers}`,
    // A silent sign-in opens the provider in a frame, which returns to a page of the portal.
    `frame-src 'self' ${providers}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');
}

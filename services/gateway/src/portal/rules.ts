import { API_ROOT } from '../http/route-table.js';

/** What holds wherever the portal is served: by the gateway, and by the server of its own image, whose configuration is made of this. */

/** Addresses that the portal itself tells apart. */
export const CLIENT_ROUTES = ['/', '/orders', '/orders/:poRef', '/dashboard', '/import', '/signed-in', '/signed-out'];
export const SILENT_ROUTE = '/signed-in/silently';
/** Where a path that does not exist is somebody else's. */
export const NOT_ITS_OWN = [API_ROOT, '/docs', '/problems', '/assets'];
/** Whose work is in the files, and by which licences: their texts must come along. */
export const LICENCES = '/third-party-licences.txt';
/** Of files of `/assets` by how their names end; no others are served. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Stands in the pages, as the portal's build writes it, where the nonce of each response goes. */
export const NONCE = '__CSP_NONCE__';
/** The policy of a file that is no page. */
export const NOTHING_IN_IT = "default-src 'none'; frame-ancestors 'none'";

/** Nothing but the portal's own files, the API and the identity provider; style elements that its own script makes, by the nonce. */
export function policyOf(nonce: string, providers: string, ancestors: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `connect-src 'self' ${providers}`,
    // The silent question goes to the provider and comes back to a page of ours.
    `frame-src 'self' ${providers}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');
}

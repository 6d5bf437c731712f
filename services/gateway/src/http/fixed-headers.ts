/** Headers of every response. */
export const FIXED_HEADERS = {
  'x-api-version': '1',
  vary: 'X-User-Token, Accept-Language',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000',
} as const;

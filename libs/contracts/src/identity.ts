import { z } from 'zod';
import { MAX_EMAIL, MAX_VENDOR_CODE } from './limits.js';

export const ROLES = ['VENDOR', 'BUYER', 'ADMIN', 'VIEWER'] as const;
export type Role = (typeof ROLES)[number];

/** Author of a history entry: a user's role, or SYSTEM for changes by the inventory system or an approval policy. */
export const ACTOR_ROLES = [...ROLES, 'SYSTEM'] as const;
export type ActorRole = (typeof ACTOR_ROLES)[number];

/** Languages of responses and labels. */
export type Locale = 'en' | 'zh';

/** Maximum UTF-16 units of token claims: an index of PostgreSQL accepts 2,704 bytes, and a vendor code must match that of orders. */
export const ACTOR_SIZES = { sub: 255, email: MAX_EMAIL, name: 200, vendorCode: MAX_VENDOR_CODE, locale: 100 } as const;

/**
 * The caller as verified by the gateway. `vendorCode` is set for role VENDOR and null for every other role, `locale` is the claim as sent
 * (a BCP 47 tag) or null.
 */
export const Actor = z.object({
  sub: z.string().min(1).max(ACTOR_SIZES.sub),
  email: z.string().max(ACTOR_SIZES.email).nullable(),
  name: z.string().max(ACTOR_SIZES.name).nullable(),
  role: z.enum(ROLES),
  vendorCode: z.string().min(1).max(ACTOR_SIZES.vendorCode).nullable(),
  locale: z.string().max(ACTOR_SIZES.locale).nullable(),
});
export type Actor = z.infer<typeof Actor>;

/** The language of an `Accept-Language` header or a locale claim: Chinese when it ranks above English, else English. */
export function localeOf(acceptLanguage: string | null | undefined): Locale {
  let best: Locale = 'en';
  let bestWeight = 0;
  for (const part of (acceptLanguage ?? '').toLowerCase().split(',')) {
    const [tag = '', ...parameters] = part.trim().split(';');
    const q = parameters.map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1]).find(Boolean);
    const weight = q === undefined ? 1 : Number(q);
    const locale = tag.startsWith('zh') ? 'zh' : tag.startsWith('en') ? 'en' : null;
    if (locale && weight > bestWeight) [best, bestWeight] = [locale, weight];
  }
  return best;
}

import { z } from 'zod';

export const ROLES = ['VENDOR', 'BUYER', 'ADMIN', 'VIEWER'] as const;
export type Role = (typeof ROLES)[number];

/** Who wrote a history entry: a user's role, or SYSTEM for what the inventory system caused. */
export const ACTOR_ROLES = [...ROLES, 'SYSTEM'] as const;
export type ActorRole = (typeof ACTOR_ROLES)[number];

/** The languages that answers and labels exist in. */
export type Locale = 'en' | 'zh';

/**
 * The caller as the gateway verified it. `vendorCode` is set for role VENDOR and null for every other role,
 * `locale` is the claim as sent (a BCP 47 tag) or null.
 */
export const Actor = z.strictObject({
  sub: z.string().min(1).max(200),
  email: z.string().nullable(),
  name: z.string().nullable(),
  role: z.enum(ROLES),
  vendorCode: z.string().min(1).nullable(),
  locale: z.string().nullable(),
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

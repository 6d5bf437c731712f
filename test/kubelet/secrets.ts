import { readText } from '@po/testing/documents';

/** URL of a database user from roles.sql, where each password equals the user name. */
const database = (user: string, name: string): string => `postgres://${user}:${user}@198.18.3.3:5432/${name}`;
const redis = { 'redis-url': 'redis://198.18.3.4:6379' };
/** Value of a variable in an environment file of docker compose. */
const keyIn = (service: string, variable: string): string =>
  new RegExp(`^${variable}=(.*)$`, 'm').exec(readText(`deploy/compose/${service}.env`))?.[1] ?? '';

/** Secrets that the chart reads by default. */
export const SECRETS: Readonly<Record<string, Record<string, string>>> = {
  'po-gateway': { 'actor-signing-key': keyIn('gateway', 'ACTOR_SIGNING_KEY'), ...redis },
  'po-actor-keys': { 'verification-keys': keyIn('services', 'ACTOR_VERIFICATION_KEYS') },
  'po-purchase-orders': {
    'database-url-internal': database('po_internal', 'purchase_orders'),
    'database-url-vendor': database('po_vendor', 'purchase_orders'),
  },
  'po-purchase-orders-migrations': { 'database-url': database('po_migrator', 'purchase_orders') },
  'po-notifications': {
    'database-url-internal': database('notifications_internal', 'notifications'),
    'database-url-user': database('notifications_user', 'notifications'),
    ...redis,
  },
  'po-notifications-migrations': { 'database-url': database('notifications_migrator', 'notifications') },
  'po-dashboard': redis,
  'po-mail': { 'database-url-internal': database('mail_internal', 'mail') },
  'po-mail-migrations': { 'database-url': database('mail_migrator', 'mail') },
};

import { textOf } from '@po/testing/documents';

/** As roles.sql creates them: each user's password is its name. */
const database = (user: string, name: string): string => `postgres://${user}:${user}@198.18.3.3:5432/${name}`;
const redis = { 'redis-url': 'redis://198.18.3.4:6379' };
/** Of docker compose. */
const keyIn = (service: string, variable: string): string =>
  new RegExp(`^${variable}=(.*)$`, 'm').exec(textOf(`deploy/compose/${service}.env`))?.[1] ?? '';

/** The Secrets that the chart reads unless it is told of others. */
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

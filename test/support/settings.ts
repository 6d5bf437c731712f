import { TopicsJobSettings } from '@po/messaging';
import type { z } from 'zod';
import { Settings as DashboardSettings } from '../../services/dashboard/src/config.js';
import { GatewaySettings } from '../../services/gateway/src/config.js';
import { MigrationSettings as MailMigrations, Settings as MailSettings } from '../../services/mail/src/config.js';
import {
  MigrationSettings as NotificationsMigrations,
  Settings as NotificationsSettings,
} from '../../services/notifications/src/config.js';
import {
  MigrationSettings as PurchaseOrdersMigrations,
  Settings as PurchaseOrdersSettings,
} from '../../services/purchase-orders/src/config.js';

/** What each service and job reads, and what must hold of it together, by what its containers are called. */
export const SETTINGS: Record<string, z.ZodObject> = {
  gateway: GatewaySettings,
  'purchase-orders': PurchaseOrdersSettings,
  notifications: NotificationsSettings,
  dashboard: DashboardSettings,
  mail: MailSettings,
  topics: TopicsJobSettings,
  'migrate-purchase-orders': PurchaseOrdersMigrations,
  'migrate-notifications': NotificationsMigrations,
  'migrate-mail': MailMigrations,
};
/** Read by Node. */
export const OF_LIBRARIES = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

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

/** Settings schema of each service and job, including cross-field rules, by container name. */
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
/** Environment variables that Node reads. */
export const NODE_VARIABLES = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

import { TopicsJobSettings } from '@po/messaging';
import { z } from 'zod';
import { Settings as DashboardSettings } from '../../services/dashboard/src/config.js';
import { GatewaySettings } from '../../services/gateway/src/config.js';
import { Settings as NotificationsSettings } from '../../services/notifications/src/config.js';
import { Settings as PurchaseOrdersSettings } from '../../services/purchase-orders/src/config.js';

const MIGRATIONS = z.object({ LOG_LEVEL: GatewaySettings.shape.LOG_LEVEL, DATABASE_URL_MIGRATIONS: z.string() });

/** What each service and job reads, by what its containers are called. */
export const SETTINGS: Record<string, z.ZodObject> = {
  gateway: GatewaySettings,
  'purchase-orders': PurchaseOrdersSettings,
  notifications: NotificationsSettings,
  dashboard: DashboardSettings,
  topics: z.object(TopicsJobSettings.shape),
  'migrate-purchase-orders': MIGRATIONS,
  'migrate-notifications': MIGRATIONS,
};
/** Read by Node and its PostgreSQL client. */
export const OF_LIBRARIES = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'PGSSLMODE'];

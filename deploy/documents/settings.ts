import { Settings as DashboardSettings } from '@po/dashboard/dist/config.js';
import { GatewaySettings } from '@po/gateway/dist/config.js';
import { Settings as MailSettings } from '@po/mail/dist/config.js';
import { Settings as NotificationsSettings } from '@po/notifications/dist/config.js';
import { Settings as PurchaseOrdersSettings } from '@po/purchase-orders/dist/config.js';
import type { z } from 'zod';

/** Schemas of environment variables by name. */
export type Settings = Record<string, z.ZodType>;

/** Settings of each service. */
export const SETTINGS = {
  gateway: GatewaySettings.shape,
  'purchase-orders': PurchaseOrdersSettings.shape,
  notifications: NotificationsSettings.shape,
  dashboard: DashboardSettings.shape,
  mail: MailSettings.shape,
} satisfies Record<string, Settings>;

/** Whether every service has this setting with the same schema. */
export const isCommon = (variable: string, schema: z.ZodType): boolean =>
  Object.values<Settings>(SETTINGS).every((settings) => settings[variable] === schema);

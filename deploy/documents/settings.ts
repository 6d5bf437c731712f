import { Settings as DashboardSettings } from '@po/dashboard/dist/config.js';
import { GatewaySettings } from '@po/gateway/dist/config.js';
import { Settings as MailSettings } from '@po/mail/dist/config.js';
import { Settings as NotificationsSettings } from '@po/notifications/dist/config.js';
import { Settings as PurchaseOrdersSettings } from '@po/purchase-orders/dist/config.js';
import type { z } from 'zod';

/** Environment variables, by their names. */
export type Settings = Record<string, z.ZodType>;

/** What each service reads. */
export const SETTINGS = {
  gateway: GatewaySettings.shape,
  'purchase-orders': PurchaseOrdersSettings.shape,
  notifications: NotificationsSettings.shape,
  dashboard: DashboardSettings.shape,
  mail: MailSettings.shape,
} satisfies Record<string, Settings>;

/** Whether every service reads it, in the same way. */
export const isCommon = (variable: string, schema: z.ZodType): boolean =>
  Object.values<Settings>(SETTINGS).every((settings) => settings[variable] === schema);

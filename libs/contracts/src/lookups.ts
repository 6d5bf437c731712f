import { z } from 'zod';
import { StatusFields } from './purchase-order.js';
import { ACTION_NAMES, STATUSES, type StatusId } from './statuses.js';

export const Kpis = z.object({
  new: z.int(),
  revision: z.int(),
  pending: z.int(),
  confirmed: z.int(),
  production: z.int(),
  shipped: z.int(),
  delivered: z.int(),
  cancelled: z.int(),
});
export type Kpis = z.infer<typeof Kpis>;

/** The KPIs of a number a status. */
export function kpisOf(countOf: (statusId: StatusId) => number): Kpis {
  return Object.fromEntries(STATUSES.map(({ kpiKey, statusId }) => [kpiKey, countOf(statusId)])) as Kpis;
}

export const Filters = z.object({
  statuses: z.array(z.string()),
  statusDetails: z.array(
    z.object({ ...StatusFields, kpiKey: z.string(), sortOrder: z.int(), isTerminal: z.boolean() }),
  ),
  vendors: z.array(z.string()),
});
export type Filters = z.infer<typeof Filters>;

export const Profile = z.object({ vendorName: z.string().nullable(), permissions: z.array(z.enum(ACTION_NAMES)) });
export type Profile = z.infer<typeof Profile>;

export const Me = Profile.extend({
  userId: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  role: z.string(),
  vendorCode: z.string().nullable(),
  locale: z.string().nullable(),
  unreadNotifications: z.int(),
});
export type Me = z.infer<typeof Me>;

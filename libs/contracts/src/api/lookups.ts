import { z } from 'zod';
import { StatusFields } from '../orders/purchase-order.js';
import { ACTION_NAMES, kpisOf } from '../orders/statuses.js';
import { CalendarDate } from '../validation/text.js';

export const Kpis = z
  .object(kpisOf(() => z.int()))
  .meta({ id: 'Kpis', description: 'Number of orders in each status, as visible to the caller.' });
export type Kpis = z.infer<typeof Kpis>;

const CalledFor = {
  orders: z.int(),
  quantity: z.number().describe('Current quantity of these orders, in pieces.'),
};

export const Schedule = z
  .object({
    asOf: CalendarDate.describe('Today (UTC): the reference date for weeks and overdue orders.'),
    weeks: z
      .array(z.object({ from: CalendarDate.describe('A Monday.'), ...CalledFor }))
      .describe(
        'Twelve weeks, beginning with the current one, with the orders whose current ex-factory date is in them.',
      ),
    overdue: z
      .array(z.object({ vendor: z.string().describe('Company name.'), vendorCode: z.string(), ...CalledFor }))
      .describe('The ten vendors with the most overdue orders, in descending order.'),
    overdueTotal: z.int().describe('Overdue orders of all vendors.'),
  })
  .meta({
    id: 'Schedule',
    description:
      'Orders that are due to leave the factory, by week, and overdue orders. Shipped, delivered and cancelled orders are not counted.',
  });
export type Schedule = z.infer<typeof Schedule>;

export const Approvals = z
  .object({
    days: z.int().describe('Number of days, up to now, whose approvals are counted.'),
    approved: z.int(),
    automatic: z.int().describe('How many of these approvals were made by an approval policy.'),
  })
  .meta({
    id: 'Approvals',
    description: 'How many submissions were approved recently, and how many of them automatically.',
  });
export type Approvals = z.infer<typeof Approvals>;

const StatusDetails = z
  .object({
    ...StatusFields,
    kpiKey: z.string().describe('Key of the status in the counts of the dashboard.'),
    sortOrder: z.int().describe('Position of the status in the workflow.'),
    isTerminal: z.boolean().describe('No transition leads out of the status.'),
  })
  .meta({ id: 'StatusDetails', description: 'One status of the workflow.' });

const Buyer = z
  .object({
    name: z.string().nullable().describe('As in the newest order with this address.'),
    email: z.string().describe('As in that order; addresses are compared case-insensitively.'),
  })
  .meta({ id: 'Buyer', description: 'A buyer, identified by e-mail address.' });

export const Filters = z
  .object({
    statuses: z.array(z.string()).describe('English labels in the order of the workflow.'),
    statusDetails: z.array(StatusDetails),
    vendors: z.array(z.string()).describe('Names of companies whose orders the caller may see, A to Z.'),
    buyers: z.array(Buyer).describe('Buyers of all orders, A to Z; empty for a vendor.'),
  })
  .meta({ id: 'Filters', description: 'Values by which the list of orders can be filtered.' });
export type Filters = z.infer<typeof Filters>;

export const Profile = z.object({ vendorName: z.string().nullable(), permissions: z.array(z.enum(ACTION_NAMES)) });
export type Profile = z.infer<typeof Profile>;

export const Me = Profile.extend({
  userId: z.string().describe('The `sub` of the token.'),
  email: z.string().nullable(),
  name: z.string().nullable(),
  role: z.string().describe('VENDOR, BUYER, ADMIN or VIEWER.'),
  vendorCode: z.string().nullable().describe('Vendor code of a vendor; null for other roles.'),
  locale: z.string().nullable().describe('BCP 47 tag from the token.'),
  unreadNotifications: z.int(),
}).meta({ id: 'Me', description: 'The caller.' });
export type Me = z.infer<typeof Me>;

import { z } from 'zod';
import { StatusFields } from '../orders/purchase-order.js';
import { ACTION_NAMES, kpisOf } from '../orders/statuses.js';
import { CalendarDate } from '../validation/text.js';

export const Kpis = z
  .object(kpisOf(() => z.int()))
  .meta({ id: 'Kpis', description: 'How many orders of the caller are in each status.' });
export type Kpis = z.infer<typeof Kpis>;

const CalledFor = {
  orders: z.int(),
  quantity: z.number().describe('Their current pieces.'),
};

export const Schedule = z
  .object({
    asOf: CalendarDate.describe('Today (UTC): weeks and overdue orders are counted from it.'),
    weeks: z
      .array(z.object({ from: CalendarDate.describe('A Monday.'), ...CalledFor }))
      .describe('Twelve, from the present one on: orders whose current ex-factory date is in it.'),
    overdue: z
      .array(z.object({ vendor: z.string().describe('Company name.'), vendorCode: z.string(), ...CalledFor }))
      .describe('The ten vendors with the most orders that are overdue, most first.'),
    overdueTotal: z.int().describe('Overdue orders of all vendors.'),
  })
  .meta({
    id: 'Schedule',
    description:
      'What is to leave the factories and what should have. Shipped, delivered and cancelled orders are not counted.',
  });
export type Schedule = z.infer<typeof Schedule>;

export const Approvals = z
  .object({
    days: z.int().describe('Approvals of so many days up to now are counted.'),
    approved: z.int(),
    automatic: z.int().describe('Those of them that an approval policy gave.'),
  })
  .meta({ id: 'Approvals', description: 'How many submissions were approved of late, and how many without a person.' });
export type Approvals = z.infer<typeof Approvals>;

const StatusDetails = z
  .object({
    ...StatusFields,
    kpiKey: z.string().describe('Its key among the counts of the dashboard.'),
    sortOrder: z.int().describe('Its place in the workflow.'),
    isTerminal: z.boolean().describe('Nothing leads out of it.'),
  })
  .meta({ id: 'StatusDetails', description: 'One status of the workflow.' });

const Buyer = z
  .object({
    name: z.string().nullable().describe('As on the newest order of the address.'),
    email: z.string().describe('As on that order too; addresses are compared in any case.'),
  })
  .meta({ id: 'Buyer', description: 'Who buys, by e-mail address.' });

export const Filters = z
  .object({
    statuses: z.array(z.string()).describe('English labels in the order of the workflow.'),
    statusDetails: z.array(StatusDetails),
    vendors: z.array(z.string()).describe('Company names of which the caller may see orders, A to Z.'),
    buyers: z.array(Buyer).describe('Of all orders, A to Z; a vendor gets none.'),
  })
  .meta({ id: 'Filters', description: 'What the list can be filtered by.' });
export type Filters = z.infer<typeof Filters>;

export const Profile = z.object({ vendorName: z.string().nullable(), permissions: z.array(z.enum(ACTION_NAMES)) });
export type Profile = z.infer<typeof Profile>;

export const Me = Profile.extend({
  userId: z.string().describe('The `sub` of the token.'),
  email: z.string().nullable(),
  name: z.string().nullable(),
  role: z.string().describe('VENDOR, BUYER, ADMIN or VIEWER.'),
  vendorCode: z.string().nullable().describe('Of a vendor; null for everybody else.'),
  locale: z.string().nullable().describe('As in the token, a BCP 47 tag.'),
  unreadNotifications: z.int(),
}).meta({ id: 'Me', description: 'The caller.' });
export type Me = z.infer<typeof Me>;

import { z } from 'zod';
import { CalendarDate } from '../validation/text.js';

/** Reminder rules for waiting orders, in listing order. */
export const REMINDER_RULES = [
  'REPLY_DUE',
  'APPROVAL_DUE',
  'EX_FACTORY_SOON',
  'EX_FACTORY_OVERDUE',
  'DELIVERY_DUE',
] as const;
export type ReminderRule = (typeof REMINDER_RULES)[number];

/** The next reminder of an order for one side. */
export const NextDue = z
  .object({
    rule: z.enum(REMINDER_RULES),
    on: CalendarDate.describe('In the business time zone.'),
    firstOn: CalendarDate.describe('Date of the first reminder of this rule: an order that waits longer is late.'),
  })
  .meta({ id: 'NextDue', description: 'The next reminder of an order.' });
export type NextDue = z.infer<typeof NextDue>;

/** `po.reminder-due.v1` on `po.reminders.v1`: one record for each order, rule and due day. */
export const ReminderDue = z
  .object({
    id: z.string().describe('Identical for the same order, rule and due day.'),
    rule: z.enum(REMINDER_RULES),
    dueOn: CalendarDate.describe('In the business time zone.'),
    step: z.int().describe('1 for the first reminder, 2 for its first repetition …'),
    poRef: z.string(),
    poNumber: z.string(),
    vendorCode: z.string(),
    vendor: z.string().describe("The vendor's company name."),
    buyerEmail: z.string().nullable(),
    statusId: z.int(),
    xfDate: CalendarDate.describe("Current ex-factory date: the vendor's reply, else the original."),
    poVersion: z.int().describe('Version of the order when the reminder was due.'),
    title: z.string(),
    titleZh: z.string(),
  })
  .meta({ id: 'ReminderDue', description: 'An order has waited longer than its rule allows.' });
export type ReminderDue = z.infer<typeof ReminderDue>;

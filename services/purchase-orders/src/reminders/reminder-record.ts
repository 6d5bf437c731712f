import { hash } from 'node:crypto';
import { EVENT_TYPES, type ReminderDue, TOPICS } from '@po/contracts';
import { type OutboxEntry, type OutboxMessage, cloudEventHeaders } from '@po/messaging';
import { childTraceparent } from '@po/platform';
import { titlesOf } from '../domain/reminders/reminder-titles.js';
import type { DueStep } from '../domain/reminders/reminders.js';
import type { ReminderRow } from './reminder-rows.js';

/** Reminders belong to no version of the order. */
const NO_VERSION = 0;

/** Outbox entry that publishes an order's reminders. */
export const reminderEntryOf = (row: ReminderRow, due: readonly DueStep[]): OutboxEntry => ({
  key: row.poNumber,
  version: NO_VERSION,
  messages: due.map((step) => outboxMessageOf(row, step)),
  traceparent: childTraceparent(undefined),
});

function outboxMessageOf(row: ReminderRow, step: DueStep): OutboxMessage {
  const reminder = reminderOf(row, step);
  return {
    topic: TOPICS.reminders,
    headers: cloudEventHeaders({
      id: reminder.id,
      type: EVENT_TYPES.reminderDue,
      source: '/purchase-orders',
      subject: row.poNumber,
      time: step.dueAt.toISOString(),
    }),
    value: JSON.stringify(reminder),
  };
}

function reminderOf(row: ReminderRow, { rule, step, dueOn, firstOn }: DueStep): ReminderDue {
  const { poNumber, vendorCode, vendorName, buyerEmail, statusId, xfDate, version } = row;
  return {
    id: reminderIdOf(poNumber, rule, dueOn),
    rule,
    dueOn,
    step,
    poRef: poNumber,
    poNumber,
    vendorCode,
    vendor: vendorName,
    buyerEmail,
    statusId,
    xfDate,
    poVersion: version,
    ...titlesOf(rule, { poNumber, firstOn, xfDate, dueOn }),
  };
}

/** A UUIDv8 of a SHA-256 (RFC 9562, 5.8): the same for the same order, rule and day. */
export function reminderIdOf(poNumber: string, rule: string, dueOn: string): string {
  const digest = hash('sha256', `${poNumber}\n${rule}\n${dueOn}`);
  const [a, b, c, d, e] = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(13, 16),
    digest.slice(17, 20),
    digest.slice(20, 32),
  ];
  return `${a}-${b}-8${c}-8${d}-${e}`;
}

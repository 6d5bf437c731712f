import { Injectable } from '@nestjs/common';
import type { Send, Statement } from '@po/database';
import { GroupCommit, INSERT_OUTBOX_ENTRIES, OutboxRelay, serializeOutboxEntries } from '@po/messaging';
import { Counter } from 'prom-client';
import { Databases } from '../store/databases.js';
import { LOCK_DIRECTORY_SHARED } from '../store/locks.js';
import { UserRetention } from '../store/user-directory.js';
import { InboxSignals } from '../inbox/inbox-signals.js';
import { DefaultPreferences } from '../preferences/default-preferences.js';
import {
  ADD_AUTHORS,
  DELIVER,
  type Delivery,
  LOCK_RECIPIENTS,
  type NewEntry,
  STORE_ENTRIES,
  messageRow,
  reminderRow,
  transitionRow,
} from './entry-rows.js';
import type { MessagePosted, ReminderDue, Transition } from './events.js';
import { type NewEvent, excerptOf, notificationRecordOf } from './notification-record.js';

/** Maximum entries of one transaction: the more it stores, the longer it locks its users' rows. */
export const MAX_BATCH = 64;
/**
 * Maximum notifications of one statement: memory holds each several times, as a record of up to 10 KB. An entry for more users gets its own
 * statement.
 */
const MAX_NOTIFICATIONS = 2_000;
/**
 * Maximum notifications of one transaction, because it locks its users' rows and the directory until it ends. A single entry may exceed the
 * limit.
 */
const MAX_TOGETHER = 10_000;
/** Minimum milliseconds between batches. Applies only under load; such a delay goes unnoticed. */
const MIN_INTERVAL_MS = 20;

const ADD_OUTBOX_ENTRIES: Statement = { name: 'outbox-add-entries', text: INSERT_OUTBOX_ENTRIES };

const duplicates = new Counter({
  name: 'inbox_duplicates_total',
  help: 'Events dropped because they were duplicates or out of date',
});

/** Rolls back a transaction that would store too much. `entries` is the number that fits into one transaction. */
class TooManyNotifications extends Error {
  constructor(readonly entries: number) {
    super(`at most ${entries} entries fit into one transaction`);
  }
}

/** Turns transitions, reminders and messages into notifications of their recipients. */
@Injectable()
export class FanOutService {
  private readonly commits = new GroupCommit<NewEvent>((events) => this.store(events), {
    maxItems: MAX_BATCH,
    minIntervalMs: MIN_INTERVAL_MS,
  });

  constructor(
    private readonly databases: Databases,
    private readonly relay: OutboxRelay,
    private readonly signals: InboxSignals,
    private readonly userRetention: UserRetention,
    private readonly defaults: DefaultPreferences,
  ) {}

  /**
   * Stores the transition and its notifications and publishes them. Events that wait at the same time share one transaction. Ignores a
   * transition whose id is known.
   */
  transitioned({ changes, submittedChanges, ...event }: Transition, traceparent: string): Promise<void> {
    return this.commits.add({
      row: transitionRow(event),
      changes: excerptOf(submittedChanges ?? changes),
      traceparent,
    });
  }

  /** Does the same for a reminder created at `dueAt`. */
  reminderDue(event: ReminderDue, dueAt: string, traceparent: string): Promise<void> {
    return this.commits.add({ row: reminderRow(event, dueAt), changes: null, traceparent });
  }

  /** Does the same for a message, and signals it to users who have the order open. */
  messagePosted(event: MessagePosted, traceparent: string): Promise<void> {
    return this.commits.add({ row: messageRow(event), changes: null, traceparent });
  }

  private async store(events: readonly NewEvent[]): Promise<void> {
    try {
      await this.storeTogether(events);
    } catch (error) {
      if (!(error instanceof TooManyNotifications)) throw error;
      const { entries } = error;
      for (let start = 0; start < events.length; start += entries)
        await this.store(events.slice(start, start + entries));
    }
  }

  /** Uses one transaction. Throws TooManyNotifications. */
  private async storeTogether(events: readonly NewEvent[]): Promise<void> {
    const byId = new Map<string, NewEvent>();
    for (const event of events) if (!byId.has(event.row.entryId)) byId.set(event.row.entryId, event);
    const { added, recipients } = await this.databases.internal.transaction(null, async (send) => {
      const fresh = await storeNew(send, byId, this.userRetention);
      const recipients = new Set<string>();
      if (fresh.length === 0) return { added: 0, recipients };
      const addressed = (entries: readonly NewEntry[]) => [JSON.stringify(entries), this.userRetention.days];
      const [locked] = await send<{ users: number; notifications: number }>(LOCK_RECIPIENTS, addressed(fresh));
      const users = locked?.users || 1;
      const notifications = locked?.notifications ?? 0;
      if (fresh.length > 1 && notifications > MAX_TOGETHER) {
        throw new TooManyNotifications(Math.max(1, Math.floor((MAX_TOGETHER * fresh.length) / notifications)));
      }
      const size = Math.max(1, Math.floor(MAX_NOTIFICATIONS / users));
      for (let start = 0; start < fresh.length; start += size) {
        const deliveries = await send<Delivery>(DELIVER, addressed(fresh.slice(start, start + size)));
        const entries = deliveries.flatMap((delivery) => {
          const event = byId.get(delivery.entryId);
          return event ? [notificationRecordOf(event, delivery, this.defaults)] : [];
        });
        if (entries.length > 0) void send(ADD_OUTBOX_ENTRIES, [serializeOutboxEntries(entries)]);
        for (const { userId } of deliveries) recipients.add(userId);
      }
      return { added: fresh.length, recipients };
    });
    this.signals.signalPosted(events.map(({ row }) => row).filter(({ kind }) => kind === 'MESSAGE'));
    if (recipients.size > 0) {
      this.relay.wake();
      this.signals.signal(recipients);
    }
    if (added === events.length) return;
    duplicates.inc(events.length - added);
    // The process that stored the duplicates may have died, or lost the database, before it sent its signals.
    this.signals.signalAllUsers();
  }
}

/** Stores the unknown entries and returns them in their order of arrival. */
async function storeNew(send: Send, byId: ReadonlyMap<string, NewEvent>, { days }: UserRetention): Promise<NewEntry[]> {
  const rows = Array.from(byId.values(), ({ row }) => row);
  const json = JSON.stringify(rows);
  void send(LOCK_DIRECTORY_SHARED);
  if (rows.some(({ kind }) => kind === 'MESSAGE')) void send(ADD_AUTHORS, [json]);
  const stored = await send<NewEntry>(STORE_ENTRIES, [json, days]);
  const fresh = new Map(stored.map((addressed) => [addressed.entryId, addressed]));
  return rows.flatMap(({ entryId }) => fresh.get(entryId) ?? []);
}

import { Injectable } from '@nestjs/common';
import type { Send, Statement } from '@po/database';
import { GroupCommit, INSERT_OUTBOX_ENTRIES, OutboxRelay, outboxJson } from '@po/messaging';
import { Counter } from 'prom-client';
import { Databases } from '../store/databases.js';
import { HOLD_DIRECTORY, UserRetention } from '../store/directory.js';
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
import { type Announced, announcement, excerptOf } from './announcement.js';

/** What one transaction stores at most: the more, the longer it holds its users' rows. */
export const MAX_BATCH = 64;
/** Notifications of one statement at most: each is held some times over, as a record of up to 10 KB. An entry for more users goes alone. */
const MAX_NOTIFICATIONS = 2_000;
/** Notifications of one transaction at most, unless one entry alone has more: it holds its users' rows and the directory until it ends. */
const MAX_TOGETHER = 10_000;
/** Only under load; nobody notices a notification that is this much later. */
const APART_MS = 20;

const ADD_OUTBOX_ENTRIES: Statement = { name: 'outbox-add-entries', text: INSERT_OUTBOX_ENTRIES };

const duplicates = new Counter({
  name: 'inbox_duplicates_total',
  help: 'Events dropped because they were duplicates or out of date',
});

/** Thrown to undo a transaction that would store too much; so many entries may be stored together. */
class TooManyNotifications extends Error {
  constructor(readonly entries: number) {
    super(`at most ${entries} entries can be stored together`);
  }
}

/** Turns transitions, reminders and messages into the notifications of everybody they concern. */
@Injectable()
export class FanOutService {
  private readonly commits = new GroupCommit<Announced>((events) => this.store(events), {
    largest: MAX_BATCH,
    apartMs: APART_MS,
  });

  constructor(
    private readonly databases: Databases,
    private readonly relay: OutboxRelay,
    private readonly signals: InboxSignals,
    private readonly memory: UserRetention,
    private readonly defaults: DefaultPreferences,
  ) {}

  /**
   * Stores the transition and its notifications, and announces them, in one transaction with what waits at the same time. A transition
   * known by id changes nothing.
   */
  transitioned({ changes, submittedChanges, ...event }: Transition, traceparent: string): Promise<void> {
    return this.commits.add({
      row: transitionRow(event),
      changes: excerptOf(submittedChanges ?? changes),
      traceparent,
    });
  }

  /** The same of a reminder that was created at `dueAt`. */
  reminderDue(event: ReminderDue, dueAt: string, traceparent: string): Promise<void> {
    return this.commits.add({ row: reminderRow(event, dueAt), changes: null, traceparent });
  }

  /** The same of a message; whoever looks at the order is told that there is one. */
  messagePosted(event: MessagePosted, traceparent: string): Promise<void> {
    return this.commits.add({ row: messageRow(event), changes: null, traceparent });
  }

  private async store(events: readonly Announced[]): Promise<void> {
    try {
      await this.storeTogether(events);
    } catch (error) {
      if (!(error instanceof TooManyNotifications)) throw error;
      const { entries } = error;
      for (let start = 0; start < events.length; start += entries)
        await this.store(events.slice(start, start + entries));
    }
  }

  /** One transaction. Throws TooManyNotifications. */
  private async storeTogether(events: readonly Announced[]): Promise<void> {
    const byId = new Map<string, Announced>();
    for (const event of events) if (!byId.has(event.row.entryId)) byId.set(event.row.entryId, event);
    const { added, recipients } = await this.databases.internal.transaction(null, async (send) => {
      const fresh = await storeNew(send, byId, this.memory);
      const recipients = new Set<string>();
      if (fresh.length === 0) return { added: 0, recipients };
      const addressed = (entries: readonly NewEntry[]) => [JSON.stringify(entries), this.memory.days];
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
          return event ? [announcement(event, delivery, this.defaults)] : [];
        });
        if (entries.length > 0) void send(ADD_OUTBOX_ENTRIES, [outboxJson(entries)]);
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
    // Whoever stored them may have died, or lost the database, before it could tell of them.
    this.signals.signalEverybody();
  }
}

/** Stores what was not known yet, and answers it in the order in which it came. */
async function storeNew(
  send: Send,
  byId: ReadonlyMap<string, Announced>,
  { days }: UserRetention,
): Promise<NewEntry[]> {
  const rows = Array.from(byId.values(), ({ row }) => row);
  const json = JSON.stringify(rows);
  void send(HOLD_DIRECTORY);
  if (rows.some(({ kind }) => kind === 'MESSAGE')) void send(ADD_AUTHORS, [json]);
  const stored = await send<NewEntry>(STORE_ENTRIES, [json, days]);
  const fresh = new Map(stored.map((addressed) => [addressed.entryId, addressed]));
  return rows.flatMap(({ entryId }) => fresh.get(entryId) ?? []);
}

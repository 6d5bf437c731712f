import { type Logger, pause, backOffMs } from '@po/platform';
import { Counter, Gauge } from 'prom-client';
import type { AdoptedReminderSettings } from '../store/adopted-reminder-settings.js';
import type { Databases } from '../store/databases.js';
import { createDueReminders, oldestDue } from './due-reminders.js';
import { OrderBatches, countFailure } from './order-batches.js';

interface ReminderSchedulerOptions {
  databases: Pick<Databases, 'internal'>;
  reminders: AdoptedReminderSettings;
  logger: Logger;
  /** Called after reminders were added to the outbox. */
  onCreated: () => void;
  clock?: () => Date;
  /** Maximum milliseconds between two polls. */
  pollMs?: number;
  /** Milliseconds before a failed order is retried. */
  setAsideMs?: number;
}

const POLL_MS = 20_000;
/** Orders per batch. A change of one of them waits for the whole batch. */
const BATCH = 50;
/** Minimum milliseconds between the starts of two batches: at most 1,250 reminders a second, which leaves capacity for users. */
const MIN_BATCH_INTERVAL_MS = 40;
/** Margin, because a timer may fire slightly early. */
const TIMER_MARGIN_MS = 10;
const RETRY = { initialMs: 1_000, maxMs: 20_000 };

const created = new Counter({ name: 'reminders_created_total', help: 'Reminders created', labelNames: ['rule'] });
const running = new Set<ReminderScheduler>();
new Gauge({
  name: 'reminders_oldest_due_seconds',
  help: 'Seconds since the oldest missing reminder was due, or since this process last looked for due reminders',
  collect() {
    this.set(Math.max(0, ...[...running].map((scheduler) => scheduler.lateSeconds)));
  },
});

/** Creates reminders at each reminder time, and polls for reminders that were left over. Replicas share the due orders. */
export class ReminderScheduler {
  private readonly stopped = new AbortController();
  private ended: Promise<void> = Promise.resolve();
  private oldest: Date | null = null;
  private lookedAt = performance.now();
  private readonly batches: OrderBatches;
  private adopted = true;

  constructor(private readonly options: ReminderSchedulerOptions) {
    const { setAsideMs, logger } = options;
    const onSetAside = 'the reminders of an order could not be created; continuing with the others';
    this.batches = new OrderBatches({ setAsideMs, logger, onSetAside });
  }

  /** Upper bound for the seconds since the oldest pending reminder became due. */
  get lateSeconds(): number {
    const sinceLook = (performance.now() - this.lookedAt - this.pollMs) / 1_000;
    const late = this.oldest ? (this.now().getTime() - this.oldest.getTime()) / 1_000 : 0;
    return Math.max(sinceLook, late);
  }

  start(): void {
    this.lookedAt = performance.now();
    running.add(this);
    this.ended = this.run();
  }

  /** Resolves when the batch in flight is done. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.ended;
    running.delete(this);
  }

  private async run(): Promise<void> {
    const { databases, reminders, logger } = this.options;
    for (let failed = 0; !this.stopped.signal.aborted;) {
      try {
        const adopted = await reminders.adopt({ starting: false });
        if (this.adopted && !adopted) logger.info('a process with other settings creates the reminders');
        this.adopted = adopted;
        if (adopted) await this.createAll();
        this.oldest = adopted ? await oldestDue(databases, reminders.current, this.now()) : null;
        this.lookedAt = performance.now();
        failed = 0;
        await pause(this.untilNext(), this.stopped.signal);
      } catch (error) {
        failed += 1;
        countFailure();
        logger.warn({ err: error, failures: failed }, 'reminders could not be created; trying again');
        await pause(backOffMs(failed, RETRY), this.stopped.signal);
      }
    }
  }

  private async createAll(): Promise<void> {
    for (let more = true; more && !this.stopped.signal.aborted;) {
      const startedAt = performance.now();
      more = await this.createBatch();
      const took = performance.now() - startedAt;
      // Pauses for at least as long as the batch took, to leave half of the time to other work.
      if (more) await pause(Math.max(took, MIN_BATCH_INTERVAL_MS - took), this.stopped.signal);
    }
  }

  private async createBatch(): Promise<boolean> {
    const { databases, reminders, onCreated } = this.options;
    const batch = await this.batches.run(BATCH, (taking) =>
      createDueReminders(databases, reminders.current, { now: this.now(), ...taking }),
    );
    if (!batch) return true;
    for (const rule of batch.created) created.inc({ rule });
    if (batch.created.length > 0) onCreated();
    return batch.more;
  }

  /** Milliseconds until the next reminder time, because reminders become due only then; at most the poll interval. */
  private untilNext(): number {
    const { calendar } = this.options.reminders.settings;
    const now = this.now();
    const next = calendar.remindingOn(calendar.nextRemindingDate(new Date(now.getTime() + 1)));
    return Math.min(this.pollMs, next.getTime() - now.getTime() + TIMER_MARGIN_MS);
  }

  private now(): Date {
    return this.options.clock?.() ?? new Date();
  }

  private get pollMs(): number {
    return this.options.pollMs ?? POLL_MS;
  }
}

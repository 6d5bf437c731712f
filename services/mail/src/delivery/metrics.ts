import type { Database, Statement } from '@po/database';
import { type Logger, pause } from '@po/platform';
import { Counter, Gauge } from 'prom-client';

const OBSERVE_MS = 10_000;

export type Outcome = 'sent' | 'read' | 'dropped' | 'suppressed' | 'refused' | 'expired';

const ended = new Counter({
  name: 'mail_ended_total',
  help: 'Mails that need no further work, by outcome',
  labelNames: ['outcome'],
});
const delayed = new Counter({
  name: 'mail_delayed_total',
  help: 'Failed attempts after which a mail waits for a retry',
});
const waiting = new Gauge({ name: 'mail_queue_mails', help: 'Mails that are due or wait for a retry' });
const age = new Gauge({
  name: 'mail_queue_oldest_age_seconds',
  help: 'Seconds by which the oldest mail that no replica is sending is overdue; 0 if there is none',
});

export const countEnded = (outcome: Outcome): void => ended.inc({ outcome });
export const countDelayed = (): void => delayed.inc();

// due_at is in the future while a mail is being sent or waits for a retry.
const QUEUE: Statement = {
  name: 'mail-queue',
  text: `SELECT count(*)::int AS mails, GREATEST(extract(epoch FROM now() - min(due_at)), 0)::float8 AS age
           FROM mails WHERE done_at IS NULL AND first_due_at <= now()`,
};

/** Updates the queue metrics until it is stopped. */
export async function observeQueue(database: Database, logger: Logger, signal: AbortSignal): Promise<void> {
  // An increase is visible only if the counter existed before.
  countersFromZero();
  while (!signal.aborted) {
    try {
      const [queue] = await database.read<{ mails: number; age: number }>(null, QUEUE);
      waiting.set(queue?.mails ?? 0);
      age.set(queue?.age ?? 0);
    } catch (error) {
      logger.debug({ err: error }, 'the metrics of the mail queue could not be read');
    }
    await pause(OBSERVE_MS, signal);
  }
}

function countersFromZero(): void {
  for (const outcome of ['sent', 'refused', 'expired'] satisfies Outcome[]) ended.inc({ outcome }, 0);
}

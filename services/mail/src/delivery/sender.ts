import { localeOf } from '@po/contracts';
import type { Database, Send } from '@po/database';
import { type Logger, isPermanent, pause, backOffMs, retry, shouldLog } from '@po/platform';
import { composeMail } from '../content/compose.js';
import type { QueuedNotification } from '../queue/queued-notification.js';
import { addressOf } from '../queue/user-directory.service.js';
import type { UnsubscribeTokens } from '../unsubscribe/tokens.js';
import {
  type DueMail,
  type Entry,
  delayMail,
  endMail,
  entriesOf,
  notificationsIn,
  releaseMail,
  claimDueMails,
} from './due-mails.js';
import { messageOf } from './message.js';
import { type Outcome, countDelayed } from './metrics.js';
import type { ReadMarks } from './read-marks.js';
import type { Mailbox } from '../smtp-settings.js';
import { type SmtpSession, type SmtpSettings, openSmtp } from './smtp.js';
import type { Suppressions } from './suppressions.js';

/** Mails per round, and concurrent connections. */
const MAX_ROUND = 20;
const CONNECTIONS = 4;
/** Maximum duration of a round. Mails not started by then, because of a low rate or a slow server, are released before their lease ends. */
const ROUND_MS = 5 * 60_000;
const EVERY_MS = 1_000;
const MARKS_MS = 2_000;
/** How late a timer may be without lowering the rate. */
const LATE_MS = 10;
const RETRY = { initialMs: 1_000, maxMs: 30_000 };
const STORE_RETRY = { initialMs: 250, maxMs: 5_000 };
/**
 * How long database work is repeated: longer than the drain of a stopping process, and short enough for the lease of a mail, whose attempt
 * has such work before and after it.
 */
const RETRY_MS = 20_000;

/** Read marks and visibility of the notifications of a round. Empty without a reply: an unneeded mail is better than a missing one. */
interface Marks {
  read: Awaited<ReturnType<ReadMarks>>;
  /** Notifications that the user may no longer see, or wants no mail about. */
  hidden: readonly string[];
}

interface Round {
  /** Current marks of all mails of the round. */
  marks: () => Promise<Marks>;
  connections: SmtpSession;
  /** Aborted when no further mail may be started. */
  over: AbortSignal;
}

interface Composing {
  mail: DueMail;
  entries: Entry[];
  visible: Entry[];
  /** Contents of the newest visible notifications. */
  shown: QueuedNotification[];
}

export interface SenderOptions {
  database: Database;
  suppressions: Suppressions;
  tokens: UnsubscribeTokens;
  readMarks: ReadMarks;
  smtp: SmtpSettings;
  from: Mailbox;
  publicUrl: string;
  ratePerSecond: number;
  /** Milliseconds after which read marks are requested again, because a round may take minutes; 2,000 if absent. */
  marksMs?: number;
  /** Milliseconds after its first failure during which database work is repeated; 20,000 if absent. */
  retryMs?: number;
  logger: Logger;
}

/** Sends due mails, concurrently with other replicas. */
export class Sender {
  private readonly stopped = new AbortController();
  private ended: Promise<void> = Promise.resolve();
  private nextSlot = 0;

  constructor(private readonly options: SenderOptions) {}

  start(): void {
    this.ended = this.run();
  }

  /** Resolves when the current mails are sent; mails of the round that were not started are released. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.ended;
  }

  /** Sends at most one round of due mails and returns their number. */
  async round(): Promise<number> {
    const { database, smtp, from, logger } = this.options;
    const mails = await claimDueMails(database, MAX_ROUND);
    if (mails.length === 0) return 0;
    const waiting = mails.values();
    // Releases mails that were not started, so that they need not wait for the end of their lease.
    const releaseRest = async () => {
      for (const mail of waiting) await releaseMail(database, mail);
    };
    const logNotReleased = (err: unknown) =>
      logger.warn({ err }, 'unsent mails could not be released, and wait until their lease expires');
    try {
      const connections = await openSmtp(smtp, from, CONNECTIONS);
      const over = AbortSignal.any([this.stopped.signal, AbortSignal.timeout(ROUND_MS)]);
      // Releases immediately, because the server may keep all workers waiting.
      over.addEventListener('abort', () => void releaseRest().catch(logNotReleased), { once: true });
      const round = { marks: this.marksOf(mails), connections, over };
      const work = async () => {
        for (const mail of waiting)
          await this.deliver(mail, round).catch((error: unknown) => this.delayAfterError(mail, error));
      };
      const workers = await Promise.allSettled(Array.from({ length: CONNECTIONS }, work));
      connections.close();
      for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
    } catch (error) {
      await releaseRest();
      throw error;
    }
    return mails.length;
  }

  private async run(): Promise<void> {
    const { logger } = this.options;
    for (let failures = 0; !this.stopped.signal.aborted;) {
      try {
        const mails = await this.round();
        failures = 0;
        if (mails < MAX_ROUND) await pause(EVERY_MS, this.stopped.signal);
      } catch (error) {
        failures += 1;
        logger.warn({ err: error, failures }, 'due mails could not be claimed or completed; trying again');
        await pause(backOffMs(failures, RETRY), this.stopped.signal);
      }
    }
  }

  private async deliver(mail: DueMail, { marks, connections, over }: Round): Promise<void> {
    const { database, suppressions, logger } = this.options;
    // First, because a user may read, leave or unsubscribe during the wait.
    await this.slot(over);
    if (over.aborted) return releaseMail(database, mail);
    // Repeated together: after a failure, a mail must not be composed from what was read before it.
    const { read, entries, visible, shown, to, isSuppressed } = await this.retried(async () => {
      const { read, hidden } = await marks();
      const entries = await entriesOf(database, mail, hidden);
      const visible = entries.filter(({ poRef }) => poRef !== null);
      const shown = visible.flatMap(({ content }) => content ?? []);
      const newest = shown.at(-1);
      const to = newest && (await addressOf(database, newest));
      return { read, entries, visible, shown, to, isSuppressed: to && (await suppressions.includes(to)) };
    });
    const end = (outcome: Outcome, also?: (send: Send) => Promise<void>) =>
      this.retried(() => endMail(database, mail, outcome, also));
    const endUnsent = (outcome: Outcome) => {
      // Returns the slot.
      this.nextSlot -= 1_000 / this.options.ratePerSecond;
      return end(outcome);
    };
    if (!to) return endUnsent('dropped');
    if (read && !visible.some(({ id }) => read.get(id) === false)) return endUnsent('read');
    if (isSuppressed) return endUnsent('suppressed');
    const message = await this.messageTo(to, { mail, entries, visible, shown }).catch((error: unknown) => {
      logger.error({ err: error, mail: mail.id }, 'a mail could not be composed');
    });
    if (!message) return this.delay(mail);
    const attempt = await connections.send(message);
    if (attempt.result === 'sent') return end('sent', (send) => suppressions.clear(send, to));
    const { result, reason } = attempt;
    if (result === 'refused') {
      logger.warn({ mail: mail.id }, 'the mail server refused an address, which is now suppressed');
      return end('refused', (send) => suppressions.suppress(send, to, reason));
    }
    logger.warn({ mail: mail.id, attempts: mail.attempts, reason: withoutAddress(reason) }, 'a mail could not be sent');
    await this.delay(mail);
  }

  /**
   * Delays a mail that itself causes an error, so that it is not retried forever and does not end the round for other mails. Rethrows other
   * errors.
   */
  private delayAfterError(mail: DueMail, error: unknown): Promise<void> {
    if (!isPermanent(error)) throw error;
    this.options.logger.error({ err: error, mail: mail.id }, 'the outcome of a mail could not be stored');
    return this.delay(mail);
  }

  /** Delays a mail after a failed attempt, or ends it after the last one. */
  private async delay(mail: DueMail): Promise<void> {
    const { database, logger } = this.options;
    countDelayed();
    if (!(await this.retried(() => delayMail(database, mail)))) return;
    logger.error({ mail: mail.id }, 'a mail has expired');
    await this.retried(() => endMail(database, mail, 'expired'));
  }

  /**
   * Repeats work in the database for a limited time, also after the end of the round or at a stop: a mail whose work is given up waits for
   * the end of its lease, and is then sent again if the server had accepted it.
   */
  private async retried<T>(work: () => Promise<T>): Promise<T> {
    const { retryMs = RETRY_MS, logger } = this.options;
    let over: AbortSignal | undefined;
    let result: T | undefined;
    await retry(async () => (result = await work()), {
      ...STORE_RETRY,
      stopped: () => false,
      onError: (error, failures) => {
        over ??= AbortSignal.timeout(retryMs);
        if (over.aborted || isPermanent(error)) throw error;
        if (shouldLog(failures))
          logger.warn({ err: error, failures }, 'a database operation for a mail failed; trying again');
      },
    });
    return result as T;
  }

  /** Requests the read marks of all mails of a round at once, because the request goes through Kafka, and again when they are old. */
  private marksOf(mails: readonly DueMail[]): () => Promise<Marks> {
    const { marksMs = MARKS_MS } = this.options;
    let answer: Promise<Marks> | undefined;
    let answeredAt = Number.POSITIVE_INFINITY;
    const request = async () => {
      const ids = await notificationsIn(this.options.database, mails);
      const read = ids.length === 0 ? null : await this.options.readMarks(ids, this.stopped.signal);
      answeredAt = performance.now();
      return { read, hidden: read ? ids.filter((id) => !read.has(id)) : [] };
    };
    return () => {
      if (answer && performance.now() - answeredAt < marksMs) return answer;
      answeredAt = Number.POSITIVE_INFINITY;
      answer = request();
      answer.catch(() => (answer = undefined));
      return answer;
    };
  }

  private async messageTo(to: string, { mail, entries, visible, shown }: Composing) {
    const { tokens, publicUrl, from } = this.options;
    const newest = shown.at(-1) as QueuedNotification;
    const kinds = [...new Set(visible.flatMap(({ kind }) => kind ?? []))].toSorted();
    const token = await tokens.tokenOf({ userId: mail.userId, kinds });
    const composing = {
      mode: mail.mode,
      locale: localeOf(newest.locale),
      timeZone: newest.delivery?.timeZone ?? 'UTC',
      publicUrl,
      unsubscribeUrl: `${new URL(publicUrl).origin}/unsubscribe?token=${token}`,
    };
    const document = composeMail(shown, composing, visible);
    return messageOf({
      from,
      to,
      document,
      notificationIds: entries.map(({ id }) => id),
      poRef: visible.every(({ poRef }) => poRef === newest.poRef) ? newest.poRef : null,
    });
  }

  /** Resolves when the rate allows another mail, or when the round is over: then it uses no slot. */
  private async slot(over: AbortSignal): Promise<void> {
    for (;;) {
      if (over.aborted) return;
      const now = performance.now();
      if (now >= this.nextSlot) {
        this.nextSlot = Math.max(this.nextSlot, now - LATE_MS) + 1_000 / this.options.ratePerSecond;
        return;
      }
      // Timers are limited to 24 days.
      await pause(Math.min(this.nextSlot - now, ROUND_MS), over);
    }
  }
}

/** Logs must not contain e-mail addresses. */
const withoutAddress = (text: string): string => text.replace(/[^\s<>]+@[^\s<>]+/g, '…');

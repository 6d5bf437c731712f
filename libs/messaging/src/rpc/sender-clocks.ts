import type { Logger } from '@po/platform';
import type { IncomingRecord } from '../kafka-port.js';
import { clockAhead } from '../metrics.js';

/** What is known of a sender's clock, in milliseconds that this machine's is ahead of it. */
interface Bounds {
  /** Began when; what is older than two of these spans is forgotten. */
  since: number;
  least: number;
  most: number;
}

const SPAN_MS = 10_000;
/** A clock further ahead is not believed: the sender's signatures are refused by then as well. */
const MAX_AHEAD_MS = 10_000;
const WARN_ABOVE_MS = 5_000;
const SAY_EVERY_MS = 60_000;
const MAX_SENDERS = 1_000;

/**
 * How far this machine's clock is ahead of each sender's. A record that came before its own time shows that this clock is behind by at
 * least that; one that was sent earlier than it can have been waiting shows that it is ahead. Without proof the clocks agree.
 */
export class SenderClocks {
  private readonly senders = new Map<string, { current: Bounds; earlier: Bounds | null }>();
  private worst = { aheadMs: 0, at: -Infinity };
  private warnedAt = -Infinity;

  constructor(
    private readonly group: string,
    private readonly logger: Logger,
  ) {}

  /** Milliseconds to add to a time of this sender's clock; this record of it is taken into account. */
  aheadOf(sender: string, { timestamp, arrival }: Pick<IncomingRecord, 'timestamp' | 'arrival'>): number {
    if (!arrival) return 0;
    const { at, after } = arrival;
    const { current, earlier } = this.boundsOf(sender, at);
    current.most = Math.min(current.most, at - timestamp);
    // Sending takes time as well, so the greatest is no proof of how far; that it is positive at all lets the least wait tell.
    if (after !== null) current.least = Math.max(current.least, after - timestamp);
    const least = Math.max(current.least, earlier?.least ?? -Infinity);
    const most = Math.min(current.most, earlier?.most ?? Infinity);
    const ahead = least > 0 ? most : Math.min(most, 0);
    this.report(ahead, at);
    return Math.min(ahead, MAX_AHEAD_MS);
  }

  // One span is dropped at a time, however long nothing came: after a broker hung, the first to come may have been sent long before.
  private boundsOf(sender: string, at: number): { current: Bounds; earlier: Bounds | null } {
    const known = this.senders.get(sender);
    if (known && Math.abs(at - known.current.since) < SPAN_MS) return known;
    const bounds = { current: { since: at, least: -Infinity, most: Infinity }, earlier: known?.current ?? null };
    const [oldest] = this.senders.keys();
    if (!known && this.senders.size >= MAX_SENDERS && oldest !== undefined) this.senders.delete(oldest);
    this.senders.set(sender, bounds);
    return bounds;
  }

  private report(aheadMs: number, at: number): void {
    if (Math.abs(aheadMs) >= Math.abs(this.worst.aheadMs) || at - this.worst.at > SAY_EVERY_MS) {
      this.worst = { aheadMs, at };
      clockAhead.set({ group: this.group }, aheadMs / 1000);
    }
    if (Math.abs(aheadMs) <= WARN_ABOVE_MS || at - this.warnedAt < SAY_EVERY_MS) return;
    this.warnedAt = at;
    this.logger.warn({ group: this.group, aheadMs }, 'the clocks of this machine and of a client differ too much');
  }
}

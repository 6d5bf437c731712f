import type { Logger } from '@po/platform';
import type { IncomingRecord } from '../kafka-port.js';
import { clockAhead } from '../metrics.js';

/** Bounds of how far this machine's clock is ahead of a sender's, in milliseconds. */
interface Bounds {
  /** Start of the span. Only the current and the previous span are kept. */
  since: number;
  least: number;
  most: number;
}

const SPAN_MS = 10_000;
/** Larger differences are not corrected: the sender's signatures are refused by then as well. */
const MAX_AHEAD_MS = 10_000;
const WARN_ABOVE_MS = 5_000;
const REPORT_EVERY_MS = 60_000;
const MAX_SENDERS = 1_000;

/**
 * Estimates how far this machine's clock is ahead of each sender's. A record that arrives before its own timestamp shows that this clock
 * is behind by at least that time. A record with a timestamp older than it can have waited shows that this clock is ahead. Without
 * proof, the clocks are taken as equal.
 */
export class SenderClocks {
  private readonly senders = new Map<string, { current: Bounds; earlier: Bounds | null }>();
  private worst = { aheadMs: 0, at: -Infinity };
  private warnedAt = -Infinity;

  constructor(
    private readonly group: string,
    private readonly logger: Logger,
  ) {}

  /** Milliseconds to add to a time of this sender's clock. Takes this record into account. */
  aheadOf(sender: string, { timestamp, arrival }: Pick<IncomingRecord, 'timestamp' | 'arrival'>): number {
    if (!arrival) return 0;
    const { at, after } = arrival;
    const { current, earlier } = this.boundsOf(sender, at);
    current.most = Math.min(current.most, at - timestamp);
    // Sending takes time too, so this bound proves no amount. If it is positive, the fastest delivery (`most`) gives the amount.
    if (after !== null) current.least = Math.max(current.least, after - timestamp);
    const least = Math.max(current.least, earlier?.least ?? -Infinity);
    const most = Math.min(current.most, earlier?.most ?? Infinity);
    const ahead = least > 0 ? most : Math.min(most, 0);
    this.report(ahead, at);
    return Math.min(ahead, MAX_AHEAD_MS);
  }

  // Drops one span at a time, however long no record arrived: after a broker hung, the first records may have been sent long before.
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
    if (Math.abs(aheadMs) >= Math.abs(this.worst.aheadMs) || at - this.worst.at > REPORT_EVERY_MS) {
      this.worst = { aheadMs, at };
      clockAhead.set({ group: this.group }, aheadMs / 1000);
    }
    if (Math.abs(aheadMs) <= WARN_ABOVE_MS || at - this.warnedAt < REPORT_EVERY_MS) return;
    this.warnedAt = at;
    this.logger.warn({ group: this.group, aheadMs }, 'the clocks of this machine and of a client differ too much');
  }
}

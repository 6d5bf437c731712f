import { type Logger, shouldLog } from '@po/platform';
import type { FetchProgress } from '../kafka-port.js';

const CHECK_EVERY_MS = 5_000;
/** Same threshold as the alert PoPartitionStalled. */
const STALLED_AFTER_SECONDS = 60;
/** An open transaction may hold a partition back for this long: more than the brokers' default of `transaction.max.timeout.ms`. */
const LONGEST_TRANSACTION_MS = 20 * 60_000;

/** Progress of an assigned partition. */
export interface PartitionState {
  topic: string;
  partition: number;
  /** Every record below this offset is handled; null until the start offset is known. */
  low: bigint | null;
  end: FetchProgress['end'];
}

interface Observed {
  low: bigint | null;
  /** Time of the last progress, or of the last fetch that found no more records; epoch milliseconds. */
  progressAt: number;
  /** Since when all readable records are handled and an open transaction holds back the others; null if none does. */
  heldBackSince: number | null;
  warnings: number;
}

/**
 * Measures how long each partition has made no progress. Lag and failures do not show every cause: fetches can succeed without
 * advancing, and records that cannot be fetched are not in the lag.
 */
export class PartitionProgress {
  private timer: NodeJS.Timeout | undefined;
  private observed = new Map<string, Observed>();

  constructor(
    private readonly group: string,
    private readonly logger: Logger,
    private readonly assigned: () => readonly PartitionState[],
  ) {}

  start(): void {
    this.timer = setInterval(() => this.warn(), CHECK_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  withoutProgress(): (PartitionState & { seconds: number })[] {
    const now = Date.now();
    const former = this.observed;
    this.observed = new Map();
    return this.assigned().map((state) => {
      const { topic, partition, low, end } = state;
      const name = `${topic}/${partition}`;
      let one = former.get(name);
      if (one?.low !== low) one = { low, progressAt: now, heldBackSince: null, warnings: 0 };
      const fetched = low !== null && end !== null && end.offset <= low ? end : null;
      one.heldBackSince = fetched && fetched.highWatermark > fetched.offset ? (one.heldBackSince ?? now) : null;
      const isLate = one.heldBackSince !== null && now - one.heldBackSince > LONGEST_TRANSACTION_MS;
      if (fetched && !isLate) one.progressAt = Math.max(one.progressAt, fetched.at);
      this.observed.set(name, one);
      return { ...state, seconds: (now - one.progressAt) / 1_000 };
    });
  }

  private warn(): void {
    for (const { topic, partition, low, end, seconds } of this.withoutProgress()) {
      const one = this.observed.get(`${topic}/${partition}`);
      if (!one || seconds <= STALLED_AFTER_SECONDS) continue;
      one.warnings += 1;
      if (!shouldLog(one.warnings)) continue;
      this.logger.warn(
        { group: this.group, topic, partition, offset: String(low), end: String(end?.offset ?? null), seconds },
        'a partition makes no progress',
      );
    }
  }
}

import { type Logger, shouldLog } from '@po/platform';
import type { FetchProgress } from '../kafka-port.js';

const CHECK_EVERY_MS = 5_000;
/** Same threshold as the alert PoPartitionStalled. */
const STALLED_AFTER_SECONDS = 60;

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
    private readonly held: () => readonly PartitionState[],
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
    return this.held().map((state) => {
      const { topic, partition, low, end } = state;
      const name = `${topic}/${partition}`;
      let one = former.get(name);
      if (one?.low !== low) one = { low, progressAt: now, warnings: 0 };
      if (low !== null && end !== null && end.offset <= low) one.progressAt = Math.max(one.progressAt, end.at);
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

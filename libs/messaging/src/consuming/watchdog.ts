import type { ConsumerPort } from '../kafka-port.js';

/** Longer than a session and a request timeout. */
const UP_WITHIN_MS = 30_000;
/** Longer than the slowest fetch of a large response and the back-off after its failure. */
const HUNG_AFTER_MS = 60_000;

const isWithin = (ms: number, at = 0): boolean => Date.now() - at < ms;

/**
 * Detects a consumer that does not even try to fetch. A failed fetch counts as an attempt: a restart would not help while Kafka, or the one
 * broker with the partitions, is unreachable.
 */
export class Watchdog {
  constructor(
    private readonly group: string,
    /** The observed consumer; null while none has joined. */
    private readonly consumer: () => ConsumerPort | null,
  ) {}

  /** True if the consumer has completed a fetch recently, with or without records. */
  get fetches(): boolean {
    return isWithin(UP_WITHIN_MS, this.consumer()?.lastFetchAt());
  }

  /** True, or the reason if only a restart of the process can help. */
  get alive(): true | string {
    const consumer = this.consumer();
    const tries = !consumer || isWithin(HUNG_AFTER_MS, consumer.lastAttemptAt());
    return tries || `no attempt to fetch in group ${this.group} for ${HUNG_AFTER_MS / 1_000} s`;
  }
}

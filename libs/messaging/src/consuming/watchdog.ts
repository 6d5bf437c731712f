import type { ConsumerPort, KafkaPort } from '../kafka-port.js';

/** Longer than a session and a request timeout. If Kafka answers, a consumer that attempts no fetch for this long counts as hung. */
const WEDGED_AFTER_MS = 30_000;
const LOOK_EVERY_MS = 5_000;

/** Resolves true if a broker accepts a connection, even if the connection cannot be closed. */
function answers(kafka: KafkaPort): Promise<boolean> {
  return kafka.admin().then(
    (admin) =>
      admin
        .close()
        .catch(() => undefined)
        .then(() => true),
    () => false,
  );
}

/**
 * Detects a consumer that does not even try to fetch although Kafka answers. A restart would not help while Kafka, or the one broker with
 * the partitions, is unreachable.
 */
export class Watchdog {
  private timer: NodeJS.Timeout | undefined;
  /** Time since when Kafka answers but the consumer attempts no fetch; null otherwise. */
  private answeredSince: number | null = null;
  private asking = false;

  constructor(
    private readonly kafka: KafkaPort,
    private readonly group: string,
    /** The observed consumer; null while none has joined. */
    private readonly consumer: () => ConsumerPort | null,
    private readonly wedgedAfterMs = WEDGED_AFTER_MS,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.look(), Math.min(LOOK_EVERY_MS, this.wedgedAfterMs / 4));
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** True if the consumer has completed a fetch recently, with or without records. */
  get fetches(): boolean {
    return this.isRecent(this.consumer()?.lastFetchAt());
  }

  /** True, or the reason if only a restart of the process can help. */
  get alive(): true | string {
    const hangs = this.answeredSince !== null && Date.now() - this.answeredSince > this.wedgedAfterMs;
    return !hangs || `no attempt to fetch in group ${this.group} although Kafka answers`;
  }

  private isRecent(at = 0): boolean {
    return Date.now() - at < this.wedgedAfterMs;
  }

  private async look(): Promise<void> {
    const consumer = this.consumer();
    if (!consumer || this.isRecent(consumer.lastAttemptAt())) this.answeredSince = null;
    else if (!this.asking) {
      this.asking = true;
      this.answeredSince = (await answers(this.kafka)) ? (this.answeredSince ?? Date.now()) : null;
      this.asking = false;
    }
  }
}

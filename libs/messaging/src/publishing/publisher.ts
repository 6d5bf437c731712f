import { TOPIC_MANIFEST } from '@po/contracts';
import { type Logger, retry } from '@po/platform';
import { type KafkaPort, type OutgoingRecord, type ProducerPort, RecordTooLargeError } from '../kafka-port.js';

interface PublisherOptions {
  /** 'all' for what must not be lost, 'leader' for questions and answers that somebody waits for. */
  acks: 'all' | 'leader';
  logger: Logger;
}

/** One record on its way. */
export interface Sending {
  /** Resolves when the broker acknowledged; rejects when that is not known, also after `withdraw`. */
  done: Promise<void>;
  /** Takes the record back; true if it surely was never sent. */
  withdraw(): boolean;
}

interface Queued {
  record: OutgoingRecord;
  state: 'queued' | 'sending' | 'settled';
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/** Milliseconds between two flushes while busy; an idle publisher sends at once. Costs are per request, not per record. */
const MIN_DISTANCE_MS = 2;
/** Keyless records of this window share a partition: fewer partitions touched make fewer record batches. */
const STICKY_MS = 5;
/** KafkaJS makes one record batch per partition; the broker takes 8 MiB at most. */
const MAX_BYTES_PER_PARTITION = 512 * 1024;
const RECONNECT = { firstMs: 100, lastMs: 2_000 };

const PARTITIONS = new Map(TOPIC_MANIFEST.map(({ topic, partitions }) => [topic, partitions]));

/** Collects records and sends them together, one flush in flight. Waits for the broker while it is away; the owner decides how long. */
export class Publisher {
  private readonly producer: ProducerPort;
  private queue: Queued[] = [];
  private scheduled = false;
  private inFlight: Promise<void> | null = null;
  private lastFlushAt = 0;
  private connected = false;
  private connecting: Promise<void> | null = null;
  private disconnectedAt: number | null = null;
  private closed = false;
  private readonly sticky = new Map<string, { partition: number; until: number }>();

  constructor(
    kafka: KafkaPort,
    private readonly options: PublisherOptions,
  ) {
    this.producer = kafka.producer({ acks: options.acks });
  }

  /** Starts connecting, and keeps at it, also after later outages; records sent meanwhile wait. */
  connect(): void {
    if (!this.connected && !this.connecting) this.connecting = this.keepConnecting();
  }

  /** Milliseconds since the last broker connection was lost; 0 while connected. */
  get disconnectedForMs(): number {
    return this.disconnectedAt === null ? 0 : Date.now() - this.disconnectedAt;
  }

  /** Resolves when the broker acknowledged the record. Rejects when it is unknown whether it was stored. */
  send(record: OutgoingRecord): Promise<void> {
    return this.enqueue(record).done;
  }

  enqueue(record: OutgoingRecord): Sending {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queued: Queued = { record, state: 'queued', resolve, reject };
    if (this.closed) {
      reject(new Error('the publisher is closed'));
    } else {
      this.queue.push(queued);
      this.connect();
      this.schedule();
    }
    return {
      done: promise,
      withdraw: () => {
        if (queued.state !== 'queued') return false;
        queued.state = 'settled';
        reject(new Error('the record was withdrawn before it was sent'));
        return true;
      },
    };
  }

  /** Sends what is queued (for as long as the broker answers) and disconnects. */
  async close(): Promise<void> {
    while (this.connected && (this.queue.length > 0 || this.inFlight)) {
      await (this.inFlight ?? new Promise((resolve) => setImmediate(resolve)));
    }
    this.closed = true;
    await this.connecting;
    for (const queued of this.queue.splice(0)) queued.reject(new Error('the publisher is closed'));
    await this.producer.disconnect();
  }

  private schedule(): void {
    if (!this.connected || this.scheduled || this.inFlight || this.queue.length === 0) return;
    this.scheduled = true;
    const run = () => {
      this.scheduled = false;
      this.inFlight = this.flush().finally(() => {
        this.inFlight = null;
        this.schedule();
      });
    };
    const since = performance.now() - this.lastFlushAt;
    if (since < MIN_DISTANCE_MS) setTimeout(run, Math.ceil(MIN_DISTANCE_MS - since));
    else setImmediate(run);
  }

  private async flush(): Promise<void> {
    this.lastFlushAt = performance.now();
    const batch = this.takeBatch();
    if (batch.length === 0) return;
    try {
      await this.producer.send(batch.map(({ record }) => record));
      for (const queued of batch) settle(queued, null);
    } catch (error) {
      if (error instanceof RecordTooLargeError && batch.length > 1) await this.sendOneByOne(batch);
      else this.failed(batch, error);
    }
  }

  private async keepConnecting(): Promise<void> {
    this.disconnectedAt ??= Date.now();
    this.connected = await retry(() => this.producer.connect(), {
      ...RECONNECT,
      stopped: () => this.closed,
      onError: (error) => {
        this.options.logger.warn({ err: error }, 'Kafka does not answer; records wait');
        this.queue = this.queue.filter(({ state }) => state === 'queued');
      },
    });
    if (this.connected) this.disconnectedAt = null;
    this.connecting = null;
    this.schedule();
  }

  // One user's reply that is too large must not fail everybody else's in the same flush.
  private async sendOneByOne(batch: Queued[]): Promise<void> {
    for (const queued of batch) {
      try {
        await this.producer.send([queued.record]);
        settle(queued, null);
      } catch (error) {
        this.failed([queued], error);
      }
    }
  }

  private failed(batch: Queued[], error: unknown): void {
    if (!(error instanceof RecordTooLargeError)) {
      this.connected = false;
      this.connect();
    }
    for (const queued of batch) settle(queued, error);
  }

  private takeBatch(): Queued[] {
    const bytes = new Map<string, number>();
    const batch: Queued[] = [];
    let taken = 0;
    for (const queued of this.queue) {
      if (queued.state === 'queued') {
        const { record } = queued;
        record.partition ??= this.stickyPartition(record);
        const target = `${record.topic}/${record.partition ?? String(record.key)}`;
        const size = (bytes.get(target) ?? 0) + sizeOf(record);
        if (size > MAX_BYTES_PER_PARTITION && bytes.has(target)) break;
        bytes.set(target, size);
        queued.state = 'sending';
        batch.push(queued);
      }
      taken += 1;
    }
    this.queue.splice(0, taken);
    return batch;
  }

  private stickyPartition({ topic, key }: OutgoingRecord): number | undefined {
    const partitions = PARTITIONS.get(topic);
    if (key !== null || partitions === undefined) return undefined;
    const now = performance.now();
    let choice = this.sticky.get(topic);
    if (!choice || choice.until < now) {
      choice = { partition: Math.floor(Math.random() * partitions), until: now + STICKY_MS };
      this.sticky.set(topic, choice);
    }
    return choice.partition;
  }
}

function settle(queued: Queued, error: unknown): void {
  queued.state = 'settled';
  if (error === null) queued.resolve();
  else queued.reject(error);
}

function sizeOf({ value, headers }: OutgoingRecord): number {
  let size = value === null ? 0 : value.length;
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0);
  return size;
}

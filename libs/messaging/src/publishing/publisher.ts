import { type Logger, retry, shouldLog } from '@po/platform';
import {
  type KafkaPort,
  type OutgoingRecord,
  type ProducerPort,
  RecordRefusedError,
  bytesOfHeader,
} from '../kafka-port.js';

interface PublisherOptions {
  /** 'all' for records that must not be lost, 'leader' for requests and replies that a caller waits for. */
  acks: 'all' | 'leader';
  logger: Logger;
}

/** One record that is being sent. */
export interface Sending {
  /** Resolves once the broker has acknowledged; rejects if the outcome is unknown, and after `withdraw`. */
  done: Promise<void>;
  /** Withdraws the record. Returns true if it was certainly not sent. */
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
/** A broker normally answers in milliseconds. */
const HANGS_AFTER_MS = 500;
/** A request has one record batch per partition, of which the broker accepts 8 MiB at most, and is in memory twice. */
const MAX_BYTES_PER_PARTITION = 512 * 1024;
const MAX_BYTES = 4 * 1024 * 1024;
const RECONNECT = { initialMs: 100, maxMs: 2_000 };

/** The queue of one broker, sent by one flush at a time. */
interface BrokerQueue {
  queue: Queued[];
  scheduled: boolean;
  inFlight: Promise<void> | null;
  lastFlushAt: number;
}

/**
 * Collects records and sends them in batches, with one flush in flight per broker, so that a dead or hanging broker delays only its own
 * partitions. While no broker answers, records wait; the owner decides how long.
 */
export class Publisher {
  private readonly producer: ProducerPort;
  /** Records that wait for a connection. */
  private queue: Queued[] = [];
  /** By broker id; -1 for partitions without a leader. */
  private readonly brokerQueues = new Map<number, BrokerQueue>();
  private connected = false;
  private connecting: Promise<void> | null = null;
  private disconnectedAt: number | null = null;
  private closed = false;

  constructor(
    kafka: KafkaPort,
    private readonly options: PublisherOptions,
  ) {
    this.producer = kafka.producer({ acks: options.acks });
  }

  /** Connects in the background, and again after outages. Records sent in the meantime wait. */
  connect(): void {
    if (!this.connected && !this.connecting) this.connecting = this.keepConnecting();
  }

  /** Milliseconds since the last broker connection was lost; 0 while connected. */
  get disconnectedForMs(): number {
    return this.disconnectedAt === null ? 0 : Date.now() - this.disconnectedAt;
  }

  /** True if the partition has a known leader. */
  hasLeader(topic: string, partition: number): boolean {
    return this.producer.brokerOf({ topic, partition, key: null, value: null, headers: {} }) >= 0;
  }

  /** True if the partition has a known leader that is not known to hang. */
  canReach(topic: string, partition: number): boolean {
    const broker = this.producer.brokerOf({ topic, partition, key: null, value: null, headers: {} });
    const brokerQueue = this.brokerQueues.get(broker);
    const hangs = brokerQueue?.inFlight && performance.now() - brokerQueue.lastFlushAt > HANGS_AFTER_MS;
    return broker >= 0 && !hangs;
  }

  /** Resolves once the broker has acknowledged the record. Rejects if it is unknown whether the record is stored. */
  send(record: OutgoingRecord): Promise<void> {
    return this.enqueue(record).done;
  }

  enqueue(record: OutgoingRecord): Sending {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queued: Queued = { record, state: 'queued', resolve, reject };
    if (this.closed) {
      reject(new Error('the publisher is closed'));
    } else if (this.connected) {
      this.route(queued);
    } else {
      this.queue.push(queued);
      this.connect();
    }
    return {
      done: promise,
      withdraw: () => {
        if (queued.state !== 'queued') return false;
        queued.state = 'settled';
        // The queue entry stays until the broker answers, but its bytes are freed.
        queued.record = { ...record, key: null, value: null, headers: {} };
        reject(new Error('the record was withdrawn before it was sent'));
        return true;
      },
    };
  }

  /** Sends queued records, as long as brokers answer, and disconnects. */
  async close(): Promise<void> {
    const busy = () => [...this.brokerQueues.values()].filter(({ queue, inFlight }) => queue.length > 0 || inFlight);
    for (let left = busy(); this.connected && left.length > 0; left = busy()) {
      await Promise.all(left.map(({ inFlight }) => inFlight ?? new Promise((resolve) => setImmediate(resolve))));
    }
    this.closed = true;
    await this.connecting;
    for (const queued of this.removeUnsent()) settle(queued, new Error('the publisher is closed'));
    await this.producer.disconnect();
  }

  private route(queued: Queued): void {
    const { record } = queued;
    const broker = this.producer.brokerOf(record);
    let brokerQueue = this.brokerQueues.get(broker);
    if (!brokerQueue)
      this.brokerQueues.set(broker, (brokerQueue = { queue: [], scheduled: false, inFlight: null, lastFlushAt: 0 }));
    brokerQueue.queue.push(queued);
    this.schedule(brokerQueue);
  }

  private schedule(brokerQueue: BrokerQueue): void {
    if (!this.connected || brokerQueue.scheduled || brokerQueue.inFlight || brokerQueue.queue.length === 0) return;
    brokerQueue.scheduled = true;
    const run = () => {
      brokerQueue.scheduled = false;
      brokerQueue.inFlight = this.flush(brokerQueue).finally(() => {
        brokerQueue.inFlight = null;
        this.schedule(brokerQueue);
      });
    };
    const since = performance.now() - brokerQueue.lastFlushAt;
    if (since < MIN_DISTANCE_MS) setTimeout(run, Math.ceil(MIN_DISTANCE_MS - since));
    else setImmediate(run);
  }

  private async flush(brokerQueue: BrokerQueue): Promise<void> {
    brokerQueue.lastFlushAt = performance.now();
    const batch = takeBatch(brokerQueue);
    if (batch.length === 0) return;
    try {
      await this.producer.send(batch.map(({ record }) => record));
      for (const queued of batch) settle(queued, null);
    } catch (error) {
      if (error instanceof RecordRefusedError && batch.length > 1) await this.sendOneByOne(batch);
      else this.failed(batch, error);
    }
  }

  private async keepConnecting(): Promise<void> {
    this.disconnectedAt ??= Date.now();
    this.connected = await retry(() => this.producer.connect(), {
      ...RECONNECT,
      stopped: () => this.closed,
      onError: (error, failures) => {
        const level = shouldLog(failures) ? 'warn' : 'debug';
        this.options.logger[level]({ err: error }, 'Kafka does not answer; records wait');
        this.queue = this.removeUnsent();
      },
    });
    this.connecting = null;
    if (!this.connected) return;
    this.disconnectedAt = null;
    // Leaders may have moved.
    for (const queued of this.removeUnsent()) this.route(queued);
  }

  /** Removes and returns all unsent records. */
  private removeUnsent(): Queued[] {
    const assigned = [...this.brokerQueues.values()].flatMap(({ queue }) => queue.splice(0));
    return [...assigned, ...this.queue.splice(0)].filter(({ state }) => state === 'queued');
  }

  // An oversized reply to one user must not fail the replies to others in the same flush.
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
    if (!(error instanceof RecordRefusedError)) {
      this.connected = false;
      this.connect();
    }
    for (const queued of batch) settle(queued, error);
  }
}

function takeBatch({ queue }: BrokerQueue): Queued[] {
  const bytes = new Map<string, number>();
  const batch: Queued[] = [];
  let taken = 0;
  let total = 0;
  for (const queued of queue) {
    if (queued.state === 'queued') {
      const { record } = queued;
      const target = `${record.topic}/${record.partition ?? String(record.key)}`;
      const own = sizeOf(record);
      const size = (bytes.get(target) ?? 0) + own;
      if ((size > MAX_BYTES_PER_PARTITION && bytes.has(target)) || (total + own > MAX_BYTES && total > 0)) break;
      bytes.set(target, size);
      total += own;
      queued.state = 'sending';
      batch.push(queued);
    }
    taken += 1;
  }
  queue.splice(0, taken);
  return batch;
}

function settle(queued: Queued, error: unknown): void {
  queued.state = 'settled';
  if (error === null) queued.resolve();
  else queued.reject(error);
}

function sizeOf({ value, headers }: OutgoingRecord): number {
  let size = value === null ? 0 : value.length;
  for (const name in headers) size += name.length + bytesOfHeader(headers[name]);
  return size;
}

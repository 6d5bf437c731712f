import type { OutgoingRecord } from '../../kafka-port.js';

/** Producer id and epoch of a batch. */
export interface Identity {
  producerId: string;
  producerEpoch: number;
}

/** Records of one partition, of which all or none are stored. */
export interface RecordBatch extends Identity {
  topic: string;
  partition: number;
  /** `topic/partition`. */
  name: string;
  records: OutgoingRecord[];
  firstSequence: number;
  /** True if the batch may be stored although no attempt was acknowledged: if it is abandoned, its sequence is not reused. */
  maybeStored: boolean;
  /** True if the outcome of an attempt is unknown and must be determined. */
  mustBeKnown: boolean;
  stored: PromiseWithResolvers<void>;
}

interface PartitionSequence {
  /** Null before the first batch and after its epochs are exhausted. */
  identity: Identity | null;
  next: number;
  /** Resolves when the previous batch has ended. */
  ended: Promise<unknown>;
  inFlight: number;
}

const SEQUENCES = 2 ** 31;
const MAX_EPOCH = 2 ** 15 - 1;

/**
 * The sequences of an idempotent producer (KIP-98). One batch is in flight per partition, and the sequence advances once it is stored,
 * so a refused batch leaves no gap. An abandoned batch that may be stored ends the epoch of its partition (KIP-360): the broker refuses
 * it after the first batch of the next epoch.
 */
export class Sequences {
  private readonly partitions = new Map<string, PartitionSequence>();
  private current: Promise<Identity> | null = null;

  constructor(private readonly init: () => Promise<Identity>) {}

  /** The producer id, requested once: under another id, batches in flight could be stored twice. */
  identity(): Promise<Identity> {
    this.current ??= this.init().catch((error: unknown) => {
      this.current = null;
      throw error;
    });
    return this.current;
  }

  /** Queues batches, one per partition. Returns when each may be sent: those of idle partitions together, at once. */
  queue(batches: readonly RecordBatch[]): [ready: Promise<unknown>, batches: RecordBatch[]][] {
    const idle: RecordBatch[] = [];
    const queued: [Promise<unknown>, RecordBatch[]][] = [[Promise.resolve(), idle]];
    for (const batch of batches) {
      const sequence = this.of(batch);
      if (sequence.inFlight === 0) idle.push(batch);
      else queued.push([sequence.ended, [batch]]);
      sequence.inFlight += 1;
      sequence.ended = batch.stored.promise.catch(() => undefined);
    }
    return queued;
  }

  /** Assigns identity and sequence to batches. */
  async number(batches: readonly RecordBatch[]): Promise<void> {
    const sequences = batches.map((batch) => this.of(batch));
    if (sequences.some(({ identity }) => !identity)) {
      const identity = await this.identity();
      for (const sequence of sequences) sequence.identity ??= identity;
    }
    for (const [index, batch] of batches.entries()) assign(batch, sequences[index] as PartitionSequence);
  }

  /** Makes a batch that is not stored under its sequence the first of a new epoch. */
  renumber(batch: RecordBatch): void {
    const sequence = this.of(batch);
    this.nextEpoch(sequence);
    assign(batch, sequence);
    batch.maybeStored = false;
    batch.mustBeKnown = false;
  }

  /** Reports the outcome of a batch. `error` is null if it is stored. */
  end(batch: RecordBatch, error: unknown): void {
    const sequence = this.partitions.get(batch.name);
    if (sequence) {
      sequence.inFlight -= 1;
      if (error === null) sequence.next = (batch.firstSequence + batch.records.length) % SEQUENCES;
      else if (batch.maybeStored) this.nextEpoch(sequence);
    }
    if (error === null) batch.stored.resolve();
    else batch.stored.reject(error);
  }

  private nextEpoch(sequence: PartitionSequence): void {
    const { identity } = sequence;
    sequence.next = 0;
    if (identity && identity.producerEpoch < MAX_EPOCH) {
      sequence.identity = { ...identity, producerEpoch: identity.producerEpoch + 1 };
    } else {
      sequence.identity = null;
      this.current = null;
    }
  }

  private of({ name }: RecordBatch): PartitionSequence {
    let sequence = this.partitions.get(name);
    if (!sequence) {
      sequence = { identity: null, next: 0, ended: Promise.resolve(), inFlight: 0 };
      this.partitions.set(name, sequence);
    }
    return sequence;
  }
}

function assign(batch: RecordBatch, { identity, next }: PartitionSequence): void {
  Object.assign(batch, identity, { firstSequence: next });
}

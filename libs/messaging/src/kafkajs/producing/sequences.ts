import type { OutgoingRecord } from '../../kafka-port.js';

/** A producer's id and epoch, as its batches carry them. */
export interface Identity {
  producerId: string;
  producerEpoch: number;
}

/** Records of one partition, which are stored together or not at all. */
export interface RecordBatch extends Identity {
  topic: string;
  partition: number;
  /** Of topic and partition. */
  name: string;
  records: OutgoingRecord[];
  firstSequence: number;
  /** It may be stored, though no attempt was answered so: given up, its sequence is not used again. */
  maybeStored: boolean;
  /** The outcome of an attempt is unknown, and is to be found out. */
  mustBeKnown: boolean;
  stored: PromiseWithResolvers<void>;
}

interface PartitionSequence {
  /** Null until the first batch, and when the epochs of the last one are used up. */
  identity: Identity | null;
  next: number;
  /** Of the batch before. */
  ended: Promise<unknown>;
  underWay: number;
}

const SEQUENCES = 2 ** 31;
const MAX_EPOCH = 2 ** 15 - 1;

/**
 * The sequences of an idempotent producer (KIP-98): one batch is under way to each partition, and the sequence moves on when that is
 * stored. So one that is refused leaves no gap. One that is given up and may be stored ends its epoch on its partition (KIP-360): from
 * the first batch of the next epoch on the broker refuses it.
 */
export class Sequences {
  private readonly partitions = new Map<string, PartitionSequence>();
  private current: Promise<Identity> | null = null;

  constructor(private readonly init: () => Promise<Identity>) {}

  /** The producer's id, which is asked for once: what is under way would be stored twice by another. */
  identity(): Promise<Identity> {
    this.current ??= this.init().catch((error: unknown) => {
      this.current = null;
      throw error;
    });
    return this.current;
  }

  /** When which of these batches, one a partition, may be sent: those of idle partitions together and now. */
  queue(batches: readonly RecordBatch[]): [ready: Promise<unknown>, batches: RecordBatch[]][] {
    const idle: RecordBatch[] = [];
    const queued: [Promise<unknown>, RecordBatch[]][] = [[Promise.resolve(), idle]];
    for (const batch of batches) {
      const sequence = this.of(batch);
      if (sequence.underWay === 0) idle.push(batch);
      else queued.push([sequence.ended, [batch]]);
      sequence.underWay += 1;
      sequence.ended = batch.stored.promise.catch(() => undefined);
    }
    return queued;
  }

  /** Gives batches their identity and sequence. */
  async number(batches: readonly RecordBatch[]): Promise<void> {
    const sequences = batches.map((batch) => this.of(batch));
    if (sequences.some(({ identity }) => !identity)) {
      const identity = await this.identity();
      for (const sequence of sequences) sequence.identity ??= identity;
    }
    for (const [index, batch] of batches.entries()) assign(batch, sequences[index] as PartitionSequence);
  }

  /** The batch is not stored under its sequence, and is sent as the first of a new epoch. */
  renumber(batch: RecordBatch): void {
    const sequence = this.of(batch);
    this.nextEpoch(sequence);
    assign(batch, sequence);
    batch.maybeStored = false;
    batch.mustBeKnown = false;
  }

  /** Tells the outcome of a batch: no error if it is stored. */
  end(batch: RecordBatch, error: unknown): void {
    const sequence = this.partitions.get(batch.name);
    if (sequence) {
      sequence.underWay -= 1;
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
      sequence = { identity: null, next: 0, ended: Promise.resolve(), underWay: 0 };
      this.partitions.set(name, sequence);
    }
    return sequence;
  }
}

function assign(batch: RecordBatch, { identity, next }: PartitionSequence): void {
  Object.assign(batch, identity, { firstSequence: next });
}

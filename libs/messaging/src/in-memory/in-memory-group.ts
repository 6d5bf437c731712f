import type { ConsumerHandlers, ConsumerOptions, FetchProgress, IncomingRecord } from '../kafka-port.js';

const MAX_BATCH = 50;
/** Simulated time between an empty fetch and the next one: a new record can be that old when it arrives. */
const POLL_MS = 1_000;

interface Assigned {
  topic: string;
  partition: number;
  position: bigint;
  /** The log that `position` refers to; a recreated topic has a new one. */
  log: readonly IncomingRecord[];
  paused: boolean;
  /** True if the last fetch reached the end and fetching has not been interrupted since. */
  caughtUp: boolean;
}

/** One consumer of an in-memory group with its assigned partitions. */
export class Member {
  assigned: Assigned[] = [];
  /** True from the start of a rebalance to the next assignment: nothing is delivered, but commits are still accepted. */
  revoked = true;
  readonly joined = Promise.withResolvers<void>();

  constructor(
    readonly options: ConsumerOptions,
    readonly handlers: ConsumerHandlers,
    private readonly deliver: () => void,
  ) {}

  seek(topic: string, partition: number, offset: bigint): void {
    for (const assigned of this.select(topic, [partition]))
      Object.assign(assigned, { position: offset, caughtUp: false });
    this.deliver();
  }

  pause(topic: string, partitions?: readonly number[]): void {
    for (const assigned of this.select(topic, partitions)) Object.assign(assigned, { paused: true, caughtUp: false });
  }

  resume(topic: string, partitions?: readonly number[]): void {
    for (const assigned of this.select(topic, partitions)) assigned.paused = false;
    this.deliver();
  }

  progress(topic: string, partition: number, records: readonly IncomingRecord[] = []): FetchProgress | null {
    const [held] = this.select(topic, [partition]);
    const end = BigInt(records.length);
    return held ? { position: held.position, end: { offset: end, highWatermark: end, at: Date.now() } } : null;
  }

  private select(topic: string, partitions?: readonly number[]): Assigned[] {
    return this.assigned.filter((one) => one.topic === topic && (!partitions || partitions.includes(one.partition)));
  }
}

/**
 * A consumer group. Partitions are reassigned whenever a member joins or leaves, one event-loop turn after they were revoked, and start
 * at the last commit.
 */
export class InMemoryGroup {
  private readonly members: Member[] = [];
  private readonly offsets = new Map<string, Pick<Assigned, 'position' | 'log'>>();
  private delivering = false;
  private assigning = false;

  constructor(
    private readonly partitionsOf: (topic: string) => IncomingRecord[][],
    /** True while no broker answers, or while this partition has no leader. */
    private readonly halted: (topic?: string, partition?: number) => boolean,
  ) {}

  join(options: ConsumerOptions, handlers: ConsumerHandlers): Member {
    const member = new Member(options, handlers, () => this.deliver());
    this.members.push(member);
    this.rebalance();
    return member;
  }

  leave(member: Member): void {
    const index = this.members.indexOf(member);
    if (index < 0) return;
    this.members.splice(index, 1);
    member.assigned = [];
    member.joined.resolve();
    this.rebalance();
  }

  commit(member: Member, offsets: readonly { topic: string; partition: number; offset: string }[]): Promise<void> {
    for (const { topic, partition, offset } of offsets) {
      // A broker refuses a commit of an older generation in the same way.
      const held = member.assigned.find((one) => one.topic === topic && one.partition === partition);
      if (!held) {
        return Promise.reject(new Error(`partition ${topic}/${partition} belongs to another member`));
      }
      this.offsets.set(`${topic}/${partition}`, { position: BigInt(offset), log: held.log });
    }
    return Promise.resolve();
  }

  committed(topic: string): { partition: number; offset: string }[] {
    return this.partitionsOf(topic).map((_records, partition) => ({
      partition,
      offset: String(this.offsets.get(`${topic}/${partition}`)?.position ?? -1n),
    }));
  }

  rebalance(): void {
    for (const member of this.members) {
      if (member.revoked) continue;
      member.revoked = true;
      member.handlers.onRebalancing?.();
    }
    if (this.assigning) return;
    this.assigning = true;
    setImmediate(() => this.assign());
  }

  /** Deletes the committed offsets of a deleted topic. */
  forget(topic: string): void {
    for (const name of this.offsets.keys()) if (name.startsWith(`${topic}/`)) this.offsets.delete(name);
    this.deliver();
  }

  /** Continues after brokers were unavailable. */
  wake(): void {
    if (this.assigning) setImmediate(() => this.assign());
    this.deliver();
  }

  /** Delivers available records in a later event-loop turn, as over a network. */
  deliver(): void {
    if (this.delivering) return;
    this.delivering = true;
    setImmediate(() => {
      this.delivering = false;
      for (const member of this.members) for (const assigned of member.assigned) this.deliverTo(member, assigned);
    });
  }

  private assign(): void {
    if (!this.assigning || this.halted()) return;
    this.assigning = false;
    for (const [index, member] of this.members.entries()) {
      member.assigned = member.options.topics.flatMap((topic) =>
        this.partitionsOf(topic)
          .map((records, partition) => ({
            topic,
            partition,
            position: this.start(member, topic, partition, records),
            log: records,
            paused: false,
            caughtUp: false,
          }))
          .filter(({ partition }) =>
            member.options.partitions
              ? member.options.partitions.includes(partition)
              : partition % this.members.length === index,
          ),
      );
      member.revoked = false;
      member.handlers.onAssigned?.(member.assigned.map(({ topic, partition }) => ({ topic, partition })));
      member.joined.resolve();
    }
    this.deliver();
  }

  private deliverTo(member: Member, assigned: Assigned): void {
    if (assigned.paused || member.revoked || this.halted(assigned.topic, assigned.partition)) {
      assigned.caughtUp = false;
      return;
    }
    const records = this.partitionsOf(assigned.topic)[assigned.partition] ?? [];
    if (records !== assigned.log) {
      Object.assign(assigned, { position: 0n, log: records, caughtUp: false });
      member.handlers.onReset?.({ topic: assigned.topic, partition: assigned.partition });
    }
    const batch = records.slice(Number(assigned.position), Number(assigned.position) + MAX_BATCH);
    if (batch.length === 0) {
      assigned.caughtUp = true;
      return;
    }
    const at = Date.now();
    const arrival = { at, after: assigned.caughtUp ? at - POLL_MS : null };
    assigned.caughtUp = assigned.caughtUp && batch.length < MAX_BATCH;
    assigned.position += BigInt(batch.length);
    const { topic, partition, position } = assigned;
    member.handlers.onRecords(
      batch.map((record) => ({ ...record, arrival })),
      { topic, partition, next: position },
    );
    this.deliver();
  }

  private start({ options }: Member, topic: string, partition: number, records: IncomingRecord[]): bigint {
    const committed = this.offsets.get(`${topic}/${partition}`);
    if (committed) return committed.log === records ? committed.position : 0n;
    return options.from === 'earliest' ? 0n : BigInt(records.length);
  }
}

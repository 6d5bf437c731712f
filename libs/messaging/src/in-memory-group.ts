import type { ConsumerHandlers, ConsumerOptions, IncomingRecord } from './kafka-port.js';

const MAX_BATCH = 50;

interface Assigned {
  topic: string;
  partition: number;
  position: bigint;
  paused: boolean;
}

/** One consumer of an in-memory group with the partitions it was given. */
export class Member {
  assigned: Assigned[] = [];

  constructor(
    readonly options: ConsumerOptions,
    readonly handlers: ConsumerHandlers,
    readonly halted: () => boolean,
    private readonly deliver: () => void,
  ) {}

  seek(topic: string, partition: number, offset: bigint): void {
    for (const assigned of this.select(topic, [partition])) assigned.position = offset;
    this.deliver();
  }

  pause(topic: string, partitions?: readonly number[]): void {
    for (const assigned of this.select(topic, partitions)) assigned.paused = true;
  }

  resume(topic: string, partitions?: readonly number[]): void {
    for (const assigned of this.select(topic, partitions)) assigned.paused = false;
    this.deliver();
  }

  private select(topic: string, partitions?: readonly number[]): Assigned[] {
    return this.assigned.filter((one) => one.topic === topic && (!partitions || partitions.includes(one.partition)));
  }
}

/** A consumer group: partitions are dealt out anew whenever a member joins or leaves, and start at the last commit. */
export class InMemoryGroup {
  private readonly members: Member[] = [];
  private readonly offsets = new Map<string, bigint>();
  private scheduled = false;

  constructor(private readonly partitionsOf: (topic: string) => IncomingRecord[][]) {}

  join(options: ConsumerOptions, handlers: ConsumerHandlers, halted: () => boolean): Member {
    const member = new Member(options, handlers, halted, () => this.deliver());
    this.members.push(member);
    this.rebalance();
    return member;
  }

  leave(member: Member): void {
    const index = this.members.indexOf(member);
    if (index < 0) return;
    this.members.splice(index, 1);
    member.assigned = [];
    this.rebalance();
  }

  commit(member: Member, offsets: readonly { topic: string; partition: number; offset: string }[]): Promise<void> {
    for (const { topic, partition, offset } of offsets) {
      // As a broker refuses a commit of an older generation.
      if (!member.assigned.some((one) => one.topic === topic && one.partition === partition)) {
        return Promise.reject(new Error(`partition ${topic}/${partition} is another member's`));
      }
      this.offsets.set(`${topic}/${partition}`, BigInt(offset));
    }
    return Promise.resolve();
  }

  committed(topic: string): { partition: number; offset: string }[] {
    return this.partitionsOf(topic).map((_records, partition) => ({
      partition,
      offset: String(this.offsets.get(`${topic}/${partition}`) ?? -1n),
    }));
  }

  rebalance(): void {
    for (const member of this.members) member.handlers.onRevoked();
    for (const [index, member] of this.members.entries()) {
      member.assigned = member.options.topics.flatMap((topic) =>
        this.partitionsOf(topic)
          .map((records, partition) => ({
            topic,
            partition,
            position: this.start(member, topic, partition, records),
            paused: false,
          }))
          .filter(({ partition }) =>
            member.options.slot === undefined
              ? partition % this.members.length === index
              : partition === member.options.slot,
          ),
      );
      member.handlers.onAssigned(member.assigned.map(({ topic, partition }) => ({ topic, partition })));
    }
    this.deliver();
  }

  /** Hands over what is there, in a later turn of the event loop as a network would. */
  deliver(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      for (const member of this.members) for (const assigned of member.assigned) this.deliverTo(member, assigned);
    });
  }

  private deliverTo(member: Member, assigned: Assigned): void {
    if (assigned.paused || member.halted()) return;
    const records = this.partitionsOf(assigned.topic)[assigned.partition] ?? [];
    const batch = records.slice(Number(assigned.position), Number(assigned.position) + MAX_BATCH);
    if (batch.length === 0) return;
    assigned.position += BigInt(batch.length);
    member.handlers.onRecords(batch);
    this.deliver();
  }

  private start({ options }: Member, topic: string, partition: number, records: IncomingRecord[]): bigint {
    return this.offsets.get(`${topic}/${partition}`) ?? (options.from === 'earliest' ? 0n : BigInt(records.length));
  }
}

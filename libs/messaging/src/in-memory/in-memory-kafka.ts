import { crc32 } from 'node:zlib';
import { TOPIC_MANIFEST, type TopicSpecification, topicSettings } from '@po/contracts';
import {
  type AdminPort,
  type ConsumerHandlers,
  type ConsumerOptions,
  type ConsumerPort,
  type IncomingRecord,
  type KafkaPort,
  type OutgoingRecord,
  type ProducerPort,
  RecordTooLargeError,
  type TopicDescription,
  requireAllStored,
} from '../kafka-port.js';
import { InMemoryGroup, type Member } from './in-memory-group.js';

/** Fault probabilities, drawn from `random`: a seeded generator makes a run repeatable. */
export interface Faults {
  random: () => number;
  /** A send is stored but rejected, so its sender cannot know the outcome. */
  storedButRejected: number;
  /** A send is rejected and not stored. */
  rejected: number;
  /** A send is stored twice, as when a client retries after a lost acknowledgement. */
  storedTwice: number;
}

interface Log {
  specification: TopicSpecification;
  partitions: IncomingRecord[][];
}

/** In-process Kafka for fast, repeatable tests, with partitions, offsets, groups, rebalances, redelivery and faults. */
export class InMemoryKafka implements KafkaPort {
  private readonly logs = new Map<string, Log>();
  private readonly groups = new Map<string, InMemoryGroup>();
  private readonly leaderless = new Set<string>();
  /** Milliseconds by which senders' clocks are ahead of this process: the sender sets the timestamp of a record. */
  senderAheadMs = 0;
  private roundRobin = 0;
  private away = false;

  constructor(
    manifest: readonly TopicSpecification[] = TOPIC_MANIFEST,
    private readonly faults: Partial<Faults> = {},
  ) {
    for (const topic of manifest) this.createTopic(topic);
  }

  /** While true, no broker answers: connects and sends reject, no member joins, nothing is delivered. */
  get down(): boolean {
    return this.away;
  }
  set down(away: boolean) {
    this.away = away;
    for (const group of this.groups.values()) group.wake();
  }

  /** Removes or restores a partition's leader. A partition without a leader stores and delivers nothing. */
  setLeader(topic: string, partition: number, present: boolean): void {
    if (present) this.leaderless.delete(`${topic}/${partition}`);
    else this.leaderless.add(`${topic}/${partition}`);
    for (const group of this.groups.values()) group.wake();
  }

  producer(): ProducerPort {
    return {
      connect: () => (this.down ? Promise.reject(new Error('no broker answers')) : Promise.resolve()),
      send: (records) => requireAllStored(this.sendEach(records)),
      sendEach: (records) => this.sendEach(records),
      partitionOf: (record) => (this.logs.has(record.topic) ? this.partitionOf(record) : -1),
      brokerOf: (record) => (this.leaderless.has(`${record.topic}/${this.partitionOf(record)}`) ? -1 : 1),
      disconnect: () => Promise.resolve(),
    };
  }

  consumer(options: ConsumerOptions): ConsumerPort {
    const halted = (topic?: string, partition?: number) => this.down || this.leaderless.has(`${topic}/${partition}`);
    const group = this.groups.get(options.group) ?? new InMemoryGroup((topic) => this.log(topic).partitions, halted);
    this.groups.set(options.group, group);
    let member: Member | null = null;
    return {
      start: (handlers: ConsumerHandlers) => {
        if (this.down) return Promise.reject(new Error('no broker answers'));
        member = group.join(options, handlers);
        return member.joined.promise;
      },
      commit: (offsets) => {
        if (this.down || !member) return Promise.reject(new Error('no broker answers'));
        return group.commit(member, offsets);
      },
      seek: (topic, partition, offset) => member?.seek(topic, partition, BigInt(offset)),
      pause: (topic, partitions) => member?.pause(topic, partitions),
      resume: (topic, partitions) => member?.resume(topic, partitions),
      progress: (topic, partition) => member?.progress(topic, partition, this.log(topic).partitions[partition]) ?? null,
      lastFetchAt: () => Date.now(),
      lastAttemptAt: () => Date.now(),
      stop: () => {
        if (member) group.leave(member);
        member = null;
        return Promise.resolve();
      },
    };
  }

  admin(): Promise<AdminPort> {
    if (this.down) return Promise.reject(new Error('no broker answers'));
    return Promise.resolve({
      topics: () => Promise.resolve([...this.logs.keys()]),
      brokerCount: () => Promise.resolve(1),
      createTopics: (topics) => Promise.resolve(topics.forEach((topic) => this.createTopic(topic))),
      describe: (topics) => Promise.resolve(topics.map((topic) => this.described(topic))),
      offsets: (topic) =>
        Promise.resolve(
          this.log(topic).partitions.map((records, partition) => ({
            partition,
            low: '0',
            high: String(records.length),
          })),
        ),
      committed: (group, topic) => Promise.resolve(this.groups.get(group)?.committed(topic) ?? []),
      close: () => Promise.resolve(),
    });
  }

  authorizationFailures(): readonly string[] {
    return [];
  }

  leaders(topic: string): Promise<number[]> {
    if (this.down) return Promise.reject(new Error('no broker answers'));
    const leaders = this.log(topic).partitions.map((_, partition) =>
      this.leaderless.has(`${topic}/${partition}`) ? -1 : 1,
    );
    return Promise.resolve(leaders);
  }

  /** All records of a topic, partition by partition. */
  records(topic: string): IncomingRecord[] {
    return this.log(topic).partitions.flat();
  }

  /** Deletes a topic and creates it again without records. */
  recreateTopic(topic: string): void {
    this.createTopic(this.log(topic).specification);
    for (const group of this.groups.values()) group.forget(topic);
  }

  /** Makes every member of a group re-join: uncommitted records are delivered again. */
  rebalance(group: string): void {
    this.groups.get(group)?.rebalance();
  }

  private described(topic: string): TopicDescription {
    const { specification } = this.log(topic);
    const settings = topicSettings({ ...specification, minInsync: 1 });
    return { topic, partitions: specification.partitions, replication: 1, settings };
  }

  private createTopic({ topic, partitions, retention, maxMessageBytes, ephemeral = false }: TopicSpecification): void {
    this.logs.set(topic, {
      specification: { topic, partitions, retention, maxMessageBytes, ephemeral },
      partitions: Array.from({ length: partitions }, () => []),
    });
  }

  private log(topic: string): Log {
    const log = this.logs.get(topic);
    if (!log) throw new Error(`topic ${topic} does not exist`);
    return log;
  }

  private sendEach(records: readonly OutgoingRecord[]): Promise<void>[] {
    const { random = Math.random, storedButRejected = 0, rejected = 0, storedTwice = 0 } = this.faults;
    const lost = (reason: string) => records.map(() => Promise.reject(new Error(reason)));
    if (this.down || random() < rejected) return lost('the broker did not accept the records');
    const targets = records.map((record) => this.targetOf(record));
    const tooLarge = this.tooLarge(targets);
    const refusals = targets.map((target) => {
      if (typeof target === 'string') return new Error(target);
      return tooLarge.has(target.name) ? new RecordTooLargeError() : null;
    });
    for (let times = random() < storedTwice ? 2 : 1; times > 0; times -= 1) {
      for (const [index, target] of targets.entries())
        if (typeof target !== 'string' && !refusals[index]) this.append(target.record, target.partition);
    }
    for (const group of this.groups.values()) group.deliver();
    if (random() < storedButRejected) return lost('the connection broke after the send');
    return refusals.map((refusal) => (refusal ? Promise.reject(refusal) : Promise.resolve()));
  }

  /** The partition of a record, or the reason why no partition accepts it now. */
  private targetOf(record: OutgoingRecord): { record: OutgoingRecord; partition: number; name: string } | string {
    if (!this.logs.has(record.topic)) return `topic ${record.topic} does not exist`;
    const partition = this.partitionOf(record);
    const name = `${record.topic}/${partition}`;
    return this.leaderless.has(name) ? `there is no leader for partition ${name}` : { record, partition, name };
  }

  // Like a broker, checks the size of each partition's batch as a whole.
  private tooLarge(targets: readonly ReturnType<InMemoryKafka['targetOf']>[]): ReadonlySet<string> {
    const bytes = new Map<string, number>();
    const names = new Set<string>();
    for (const target of targets) {
      if (typeof target === 'string') continue;
      const batch = (bytes.get(target.name) ?? 0) + Buffer.byteLength(target.record.value ?? '');
      bytes.set(target.name, batch);
      if (batch > this.log(target.record.topic).specification.maxMessageBytes) names.add(target.name);
    }
    return names;
  }

  private partitionOf({ topic, key, partition }: OutgoingRecord): number {
    const { partitions } = this.log(topic);
    return partition ?? (key === null ? (this.roundRobin += 1) : crc32(key)) % partitions.length;
  }

  private append({ topic, key, value, headers }: OutgoingRecord, target: number): void {
    const { partitions } = this.log(topic);
    const records = partitions[target];
    if (!records) throw new Error(`topic ${topic} has no partition ${target}`);
    const raw = Object.entries(headers).map(([name, bytes]): [string, Buffer | Buffer[]] => [
      name,
      Array.isArray(bytes) ? bytes : Buffer.from(bytes),
    ]);
    records.push({
      topic,
      partition: target,
      offset: String(records.length),
      key: key === null ? null : Buffer.from(key),
      value: value === null ? null : Buffer.from(value),
      headers: Object.fromEntries(
        raw.map(([name, bytes]) => [name, String(Array.isArray(bytes) ? bytes.at(-1) : bytes)]),
      ),
      rawHeaders: Object.fromEntries(raw),
      timestamp: Date.now() + this.senderAheadMs,
    });
  }
}

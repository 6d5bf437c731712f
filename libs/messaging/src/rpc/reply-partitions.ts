import { REPLY_PARTITIONS, TOPICS } from '@po/contracts';
import { pause } from '@po/platform';
import { ReplyPartition, type ReplyPartitionOptions, initialReplyPartition } from './reply-partition.js';
import { Endpoints } from './endpoints.js';

const PARTITIONS = 2;
const LOOK_EVERY_MS = 500;

/** An instance's two reply partitions: answers come by the first while it works, else by the other, which is ready beside it on another broker. */
export class ReplyPartitions {
  readonly endpoints = new Endpoints(PARTITIONS);
  private readonly partitions: ReplyPartition[];
  private readonly stopping = new AbortController();
  private opening: Promise<void> = Promise.resolve();

  constructor(private readonly options: Omit<ReplyPartitionOptions, 'partition' | 'apartFrom'>) {
    this.partitions = [this.partitionBeside(1, initialReplyPartition(options.instanceId))];
  }

  /** Whether answers can come back: by one is enough. */
  get proven(): boolean {
    return this.partitions.some(({ proven }) => proven);
  }

  /** Milliseconds since no answer comes back by either of them, as far as is known. */
  get silentForMs(): number {
    return Math.min(...this.partitions.map(({ silentForMs }) => silentForMs));
  }

  /** True once answers can come back; else why not, as far as that is known. */
  get ready(): true | string {
    if (this.proven) return true;
    const reasons = [
      ...this.partitions.map(({ failure }) => failure),
      ...this.options.kafka.authorizationFailures(),
    ].filter(Boolean);
    const because = reasons.length > 0 ? `: ${[...new Set(reasons)].join('; ')}` : '';
    return `no ping came back through the reply topic yet${because}`;
  }

  /** Not true when only a restart of the process can help. */
  get alive(): true | string {
    return this.partitions.map(({ watchdog }) => watchdog.alive).find((alive) => alive !== true) ?? true;
  }

  /** Where the next answer shall come, by another partition than `not`; never by one that does not work while another does. */
  choose(not?: number): number {
    const chosen = this.endpoints.pick(0, { not: not === undefined ? [] : [not] });
    if (this.partitions[chosen]?.works) return chosen;
    const working = this.partitions.findIndex(({ works }) => works);
    return Math.max(0, working);
  }

  /** Whether the reply partition of a request has failed or was left, while another one works. */
  isCutOff({ reply, replyPartition }: { reply: number; replyPartition: number }): boolean {
    const own = this.partitions[reply];
    const isLost = !own?.works || own.partition !== replyPartition;
    return isLost && this.partitions.some(({ works }) => works);
  }

  partition(index: number): number {
    return (this.partitions[index] as ReplyPartition).partition;
  }

  /** Returns at once; proves both in the background. */
  start(): void {
    this.partitions[0]?.start();
    this.opening = this.openOther();
  }

  /** An answer is overdue by this partition: makes sure that answers can come by it at all. */
  verify(index: number): void {
    this.partitions[index]?.verify();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.opening;
    await Promise.all(this.partitions.map((one) => one.stop()));
  }

  private partitionBeside(other: number, partition: number): ReplyPartition {
    return new ReplyPartition({ ...this.options, partition, apartFrom: () => this.partitions[other]?.places ?? [] });
  }

  private async openOther(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const leaders = await this.options.kafka.leaders(TOPICS.replies).catch(() => null);
      if (signal.aborted) return;
      if (leaders) {
        const first = this.partition(0);
        const others = leaders.map((_, step) => (first + 1 + step) % REPLY_PARTITIONS);
        const apart = others.find((other) => (leaders[other] ?? -1) >= 0 && leaders[other] !== leaders[first]);
        const other = this.partitionBeside(0, apart ?? (first + 1) % REPLY_PARTITIONS);
        this.partitions.push(other);
        other.start();
        return;
      }
      await pause(LOOK_EVERY_MS, signal);
    }
  }
}

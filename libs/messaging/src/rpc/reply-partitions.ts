import { REPLY_PARTITIONS, TOPICS } from '@po/contracts';
import { pause } from '@po/platform';
import { ReplyPartition, type ReplyPartitionOptions, initialReplyPartition } from './reply-partition.js';
import { Endpoints } from './endpoints.js';

const PARTITIONS = 2;
const POLL_MS = 500;

/** An instance's two reply partitions, on two brokers if possible. Replies use the first one while it works, else the second. */
export class ReplyPartitions {
  readonly endpoints = new Endpoints(PARTITIONS);
  private readonly partitions: ReplyPartition[];
  private readonly stopping = new AbortController();
  private opening: Promise<void> = Promise.resolve();

  constructor(private readonly options: Omit<ReplyPartitionOptions, 'partition' | 'apartFrom'>) {
    this.partitions = [this.partitionBeside(1, initialReplyPartition(options.instanceId))];
  }

  /** True once replies can arrive through at least one partition. */
  get isVerified(): boolean {
    return this.partitions.some(({ isVerified }) => isVerified);
  }

  /** Milliseconds for which no reply has arrived through either partition, as far as known. */
  get silentForMs(): number {
    return Math.min(...this.partitions.map(({ silentForMs }) => silentForMs));
  }

  /** True once replies can arrive; else the reason, as far as known. */
  get ready(): true | string {
    if (this.isVerified) return true;
    const reasons = [
      ...this.partitions.map(({ failure }) => failure),
      ...this.options.kafka.authorizationFailures(),
    ].filter(Boolean);
    const because = reasons.length > 0 ? `: ${[...new Set(reasons)].join('; ')}` : '';
    return `no ping came back through the reply topic yet${because}`;
  }

  /** True, or the reason if only a restart of the process can help. */
  get alive(): true | string {
    return this.partitions.map(({ watchdog }) => watchdog.alive).find((alive) => alive !== true) ?? true;
  }

  /** Index of the partition for the next reply: a working one if there is any, and not `except` if possible. */
  pick(except?: number): number {
    const chosen = this.endpoints.pick(0, { except: except === undefined ? [] : [except] });
    if (this.partitions[chosen]?.isWorking) return chosen;
    const working = this.partitions.findIndex(({ isWorking }) => isWorking);
    return Math.max(0, working);
  }

  /** True if a request's reply partition has failed or changed while another one works. */
  isCutOff({ reply, replyPartition }: { reply: number; replyPartition: number }): boolean {
    const own = this.partitions[reply];
    const isLost = !own?.isWorking || own.partition !== replyPartition;
    return isLost && this.partitions.some(({ isWorking }) => isWorking);
  }

  partition(index: number): number {
    return (this.partitions[index] as ReplyPartition).partition;
  }

  /** Returns at once; starts and checks both in the background. */
  start(): void {
    this.partitions[0]?.start();
    this.opening = this.openOther();
  }

  /** Checks by pings that replies can arrive through this partition. Called when a reply is overdue. */
  verify(index: number): void {
    this.partitions[index]?.verify();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.opening;
    await Promise.all(this.partitions.map((one) => one.stop()));
  }

  private partitionBeside(other: number, partition: number): ReplyPartition {
    return new ReplyPartition({
      ...this.options,
      partition,
      apartFrom: () => this.partitions[other]?.partitionsInUse ?? [],
    });
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
      await pause(POLL_MS, signal);
    }
  }
}

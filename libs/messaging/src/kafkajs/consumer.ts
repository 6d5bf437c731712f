import { type Logger, retry } from '@po/platform';
import type { ConsumerHandlers, ConsumerOptions, ConsumerPort, FetchProgress } from '../kafka-port.js';
import type { Cluster } from './cluster/cluster.js';
import { type TopicPartition, nameOf } from './group/assignor.js';
import { Fetcher } from './fetching/fetcher.js';
import { levelOf } from './log.js';
import { Membership } from './group/membership.js';

const RETRY = { initialMs: 100, maxMs: 1_000 };

/** A consumer in a group, or of fixed partitions without a group; the latter depends only on the partition leaders. */
export class KafkaConsumer implements ConsumerPort {
  private fetcher: Fetcher | null = null;
  private membership: Membership | null = null;
  private stopped = false;

  constructor(
    private readonly cluster: Cluster,
    private readonly options: ConsumerOptions,
    private readonly logger: Logger,
  ) {}

  async start(handlers: ConsumerHandlers): Promise<void> {
    const { cluster, logger } = this;
    const { group, topics, from, partitions, instance = null } = this.options;
    const fetcher = new Fetcher({
      cluster,
      logger,
      from,
      onRecords: (records, read) => handlers.onRecords(records, read),
      onReset: (partition) => handlers.onReset?.(partition),
    });
    this.fetcher = fetcher;
    if (partitions) {
      await cluster.ensureMetadata(topics);
      const assignment = topics.flatMap((topic) => partitions.map((partition) => ({ topic, partition })));
      fetcher.assign(assignment);
      handlers.onAssigned?.(assignment);
      fetcher.begin(assignment.map((each) => ({ ...each, offset: -1n, origin: null })));
      return;
    }
    const membership = new Membership({
      cluster,
      group,
      topics,
      instance,
      logger,
      onRebalancing: () => handlers.onRebalancing?.(),
      onAssigned: (assignment) => {
        const fresh = fetcher.assign(assignment);
        handlers.onAssigned?.(assignment);
        void this.begin(membership, fetcher, fresh);
      },
      onPartitionsLost: () => {
        fetcher.assign([]);
        handlers.onPartitionsLost?.();
      },
    });
    this.membership = membership;
    await membership.start();
  }

  async commit(offsets: readonly (TopicPartition & { offset: string })[]): Promise<void> {
    if (!this.membership) throw new Error('a consumer of fixed partitions has no group to commit in');
    await this.membership.offsets.commit(
      offsets.map((each) => ({ ...each, origin: this.fetcher?.origin(each.topic, each.partition) ?? null })),
    );
  }

  seek(topic: string, partition: number, offset: string): void {
    this.fetcher?.seek(topic, partition, BigInt(offset));
  }

  pause(topic: string, partitions?: readonly number[]): void {
    this.fetcher?.pause(topic, partitions);
  }

  resume(topic: string, partitions?: readonly number[]): void {
    this.fetcher?.resume(topic, partitions);
  }

  progress(topic: string, partition: number): FetchProgress | null {
    return this.fetcher?.progress(topic, partition) ?? null;
  }

  lastFetchAt(): number {
    return this.fetcher?.lastFetchAt('completed') ?? 0;
  }

  lastAttemptAt(): number {
    return this.fetcher?.lastFetchAt('attempted') ?? 0;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.fetcher?.stop();
    await this.membership?.leave();
    this.cluster.close();
  }

  // Retries while the coordinator is unavailable; other partitions are still read.
  private async begin(membership: Membership, fetcher: Fetcher, fresh: readonly TopicPartition[]): Promise<void> {
    if (fresh.length === 0) return;
    await retry(async () => fetcher.begin(await membership.offsets.committed(fresh)), {
      ...RETRY,
      stopped: () => this.stopped,
      onError: (error, failures) =>
        this.logger[levelOf(failures)](
          { err: error, partitions: fresh.map(nameOf).join(), failures },
          'committed offsets could not be read; trying again',
        ),
    });
  }
}

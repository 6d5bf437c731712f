import { byTopic } from './assignments.js';
import type { Cluster } from '../cluster/cluster.js';
import { Coordinator } from './coordinator.js';
import type { TopicPartition } from './assignor.js';
import { API, requireNoError } from '../cluster/protocol.js';

/** A commit waits for replicas and may take longer than a heartbeat. */
const COMMIT_TIMEOUT_MS = 6_000;

/** The log of an offset. The offset is invalid in another topic of the same name, and after a truncation. */
export interface LogOrigin {
  topicId: string;
  /** The leader epoch of the last record fetched (KIP-101); -1 if it is unknown. */
  epoch: number;
}

export interface CommittedOffset extends TopicPartition {
  offset: bigint;
  origin: LogOrigin | null;
}

interface GroupOffsetsOptions {
  cluster: Cluster;
  group: string;
  /** The committing member and its current generation. */
  member: () => { groupId: string; memberId: string; groupGenerationId: number };
}

/** The committed offsets of a group. Uses a separate connection, which a waiting join does not block. */
export class GroupOffsets {
  private readonly coordinator: Coordinator;

  constructor(private readonly options: GroupOffsetsOptions) {
    this.coordinator = new Coordinator(options.cluster, options.group);
  }

  async commit(offsets: readonly (TopicPartition & { offset: string; origin: LogOrigin | null })[]): Promise<void> {
    const topics = byTopic(offsets, ({ partition, offset, origin }) => ({
      partition,
      offset,
      metadata: origin && `${origin.topicId} ${origin.epoch}`,
    }));
    const ask = { ...this.options.member(), topics };
    await this.coordinator.ask(async (node) => {
      const { responses } = await node.send(API.offsetCommit, ask, COMMIT_TIMEOUT_MS);
      for (const { partitions } of responses) {
        for (const { errorCode } of partitions) requireNoError(errorCode, `commit of group ${this.options.group}`);
      }
    });
  }

  /** The committed offset of each partition, -1 if there is none. The origin is null if another client or an older release committed. */
  committed(partitions: readonly TopicPartition[]): Promise<CommittedOffset[]> {
    const { group } = this.options;
    const topics = byTopic(partitions, ({ partition }) => ({ partition }));
    return this.coordinator.ask(async (node) => {
      const answer = await node.send(API.offsetFetch, { groupId: group, topics });
      requireNoError(answer.errorCode, `offsets of group ${group}`);
      return answer.responses.flatMap(({ topic, partitions: found }) =>
        found.map(({ partition, offset, metadata, errorCode }) => {
          requireNoError(errorCode, `offset of ${topic}/${partition} in group ${group}`);
          return { topic, partition, offset: BigInt(offset), origin: originIn(metadata) };
        }),
      );
    });
  }

  close(): void {
    this.coordinator.close();
  }
}

function originIn(metadata: string | null): LogOrigin | null {
  const [, topicId, epoch] = /^([0-9a-f]{32}) (-?\d+)$/.exec(metadata ?? '') ?? [];
  return topicId === undefined ? null : { topicId, epoch: Number(epoch) };
}

import type { FetchProgress } from '../../kafka-port.js';
import { byTopic } from '../group/assignments.js';
import { type TopicPartition, nameOf } from '../group/assignor.js';
import type { Node } from '../cluster/node.js';
import { API, CODE, requireNoError } from '../cluster/protocol.js';

const TIMESTAMP = { earliest: -2, latest: -1 };
/** Isolation level of every read: it hides aborted transactions and never starts after records that may still be aborted. */
export const READ_COMMITTED = 1;

/** Read position of a partition. */
export interface Position extends TopicPartition {
  /** The offset of the next record to read; null until the start offset is known. */
  next: bigint | null;
  /** Start position if there is no offset; else null. */
  startAt: keyof typeof TIMESTAMP | null;
  /** Id of the topic that `next` refers to; null until it is known. */
  topicId: string | null;
  /** The leader epoch of the last record fetched; -1 if there is none. */
  epoch: number;
  paused: boolean;
  /** Consecutive failures of this partition within successful fetches. */
  failures: number;
  /** True until the retry after a failure. */
  backingOff: boolean;
  end: FetchProgress['end'];
}

export const NEW = {
  next: null,
  startAt: null,
  topicId: null,
  epoch: -1,
  paused: false,
  failures: 0,
  backingOff: false,
  end: null,
};

/**
 * Sends ListOffsets to the leader of these partitions and calls `found` for each start offset it returns. Rejects afterwards if an offset
 * is missing.
 */
export async function firstOffsets(
  leader: Node,
  positions: readonly Position[],
  found: (position: Position, offset: bigint) => void,
): Promise<void> {
  const { responses } = await leader.send(API.listOffsets, {
    isolationLevel: READ_COMMITTED,
    topics: byTopic(positions, ({ partition, startAt }) => ({
      partition,
      timestamp: TIMESTAMP[startAt ?? 'earliest'],
    })),
  });
  const answers = responses.flatMap(({ topic, partitions }) =>
    partitions.map((answer) => ({ ...answer, name: nameOf({ topic, partition: answer.partition }) })),
  );
  for (const { name, errorCode, offset } of answers) {
    const position = positions.find((one) => nameOf(one) === name);
    if (position && errorCode === CODE.none) found(position, BigInt(offset));
  }
  for (const { name, errorCode } of answers) requireNoError(errorCode, `first offset of ${name}`);
}

/** Starts at a random element, because a broker fills its answer in the order of the request. */
export function rotated<T>(list: readonly T[], at = Math.floor(Math.random() * list.length)): T[] {
  return [...list.slice(at), ...list.slice(0, at)];
}

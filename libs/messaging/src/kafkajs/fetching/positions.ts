import type { FetchProgress } from '../../kafka-port.js';
import { byTopic } from '../group/assignments.js';
import { type TopicPartition, nameOf } from '../group/assignor.js';
import type { Node } from '../cluster/node.js';
import { API, CODE, requireNoError } from '../cluster/protocol.js';

const TIMESTAMP = { earliest: -2, latest: -1 };
/** The isolation level of every read: neither shows what a transaction took back, nor begins behind what it may still take back. */
export const READ_COMMITTED = 1;

/** How far a partition has been read. */
export interface Position extends TopicPartition {
  /** The offset of the next record to read; null until it is known where to begin. */
  next: bigint | null;
  /** Where to start without an offset. */
  startAt: keyof typeof TIMESTAMP | null;
  /** The topic that `next` is an offset of; null until it is known. */
  topicId: string | null;
  /** The leader epoch of the last record fetched; -1 without one. */
  epoch: number;
  paused: boolean;
  /** Fetches in a row that failed for this partition alone. */
  failures: number;
  /** Until it is tried again after a failure. */
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
 * ListOffsets: asks the leader of these partitions where they begin, and tells `found` of each that it knows. Rejects when it does not know
 * one, which holds up no other.
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

/** From another one on each time: the broker fills an answer in the order of the question. */
export function rotated<T>(list: readonly T[], at = Math.floor(Math.random() * list.length)): T[] {
  return [...list.slice(at), ...list.slice(0, at)];
}

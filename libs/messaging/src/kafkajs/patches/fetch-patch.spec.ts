import { beforeEach, expect, it } from '@jest/globals';
import { isOutdated, patchFetch } from './fetch-patch.js';
import { kafkaJsModule } from './patch-kafkajs.js';

interface Batch {
  messages: { offset: string }[];
}

interface ConsumerGroup {
  subscriptionState: { assign(assignment: { topic: string; partitions: number[] }[]): void };
  offsetManager: object;
  fetch(nodeId: string): Promise<Batch[]>;
}

const TOPIC = 'orders';
const ASSIGNMENT = [{ topic: TOPIC, partitions: [0] }];
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, namespace: () => silent };

let group: ConsumerGroup;
let answer: PromiseWithResolvers<void>;

/** The positions of one assignment, which begins at this offset. */
const positionsFrom = (offset: number) => ({
  committedOffsets: () => ({ [TOPIC]: { 0: String(offset) } }),
  nextOffset: () => String(offset),
  resolveOffsets: () => Promise.resolve(),
});

// KafkaJS's own consumer group, over a broker that answers a fetch when it is told to.
beforeEach(() => {
  patchFetch();
  patchFetch();
  answer = Promise.withResolvers();
  const Group = kafkaJsModule<new (options: object) => ConsumerGroup>('consumer/consumerGroup');
  const message = { offset: '7', attributes: 0, key: null, value: null, headers: {}, timestamp: '0' };
  const broker = {
    fetch: async () => {
      await answer.promise;
      const partitions = [{ partition: 0, errorCode: 0, highWatermark: '8', messages: [message] }];
      return { responses: [{ topicName: TOPIC, partitions }] };
    },
  };
  group = new Group({
    ...{ logger: silent, groupId: 'g', topics: [TOPIC], topicConfigurations: {}, assigners: [], retry: {} },
    ...{ maxWaitTimeInMs: 1, minBytes: 1, maxBytes: 1, maxBytesPerPartition: 1 },
    cluster: {
      refreshMetadataIfNecessary: () => Promise.resolve(),
      findTopicPartitionMetadata: () => [{ partitionId: 0, leader: '1', replicas: ['1'] }],
      findLeaderForPartitions: () => ({ 1: [0] }),
      findBroker: () => Promise.resolve(broker),
    },
  });
  group.subscriptionState.assign(ASSIGNMENT);
  group.offsetManager = positionsFrom(7);
});

it('knows a batch of the present assignment from one that an earlier one asked for', async () => {
  const fetching = group.fetch('1');
  answer.resolve();
  const [current] = await fetching;
  expect(current?.messages).toHaveLength(1);
  expect(isOutdated(current as Batch)).toBe(false);

  answer = Promise.withResolvers();
  const late = group.fetch('1');
  // What joining anew does: the new assignment reads from what was committed.
  group.offsetManager = positionsFrom(3);
  answer.resolve();
  const [outdated] = await late;
  expect(outdated?.messages).toHaveLength(1);
  expect(isOutdated(outdated as Batch)).toBe(true);
  // The first had been fetched, but not handed over yet.
  expect(isOutdated(current as Batch)).toBe(true);
});

it('says of what KafkaJS did not fetch that it is no old one', () => {
  expect(isOutdated({})).toBe(false);
});

import { topicSettings } from '@po/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import kafkajs, { type Admin, type Kafka } from 'kafkajs';
import type { AdminPort, TopicDescription } from '../../kafka-port.js';

const { ConfigResourceTypes } = kafkajs;

const TOPICS_TIMEOUT_MS = 30_000;
const POLL_MS = 50;
/** Errors that a broker returns until it knows a new topic and its leaders. */
const METADATA_NOT_READY = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE']);

export async function adminPort(kafka: Kafka): Promise<AdminPort> {
  const admin = kafka.admin({ retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 8 } });
  await admin.connect();
  return {
    topics: () => admin.listTopics(),
    brokerCount: async () => (await admin.describeCluster()).brokers.length,
    createTopics: async (topics) => {
      await admin.createTopics({
        waitForLeaders: false,
        timeout: TOPICS_TIMEOUT_MS,
        topics: topics.map((topic) => ({
          topic: topic.topic,
          numPartitions: topic.partitions,
          replicationFactor: topic.replication,
          configEntries: Object.entries(topicSettings(topic)).map(([name, value]) => ({ name, value })),
        })),
      });
      await waitForLeaders(
        admin,
        topics.map(({ topic }) => topic),
      );
    },
    describe: async (topics) => {
      const { topics: metadata } = await admin.fetchTopicMetadata({ topics: [...topics] });
      const { resources } = await admin.describeConfigs({
        includeSynonyms: false,
        resources: topics.map((name) => ({ type: ConfigResourceTypes.TOPIC, name })),
      });
      return metadata.map(({ name, partitions }): TopicDescription => {
        const entries = resources.find(({ resourceName }) => resourceName === name)?.configEntries ?? [];
        return {
          topic: name,
          partitions: partitions.length,
          replication: Math.min(...partitions.map(({ replicas }) => replicas.length)),
          settings: Object.fromEntries(entries.map(({ configName, configValue }) => [configName, configValue])),
        };
      });
    },
    offsets: (topic) =>
      admin.fetchTopicOffsets(topic).catch((cause: Error) => {
        throw new Error(`topic ${topic}: ${cause.message}`, { cause });
      }),
    committed: async (group, topic) => {
      const [offsets] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
      return (offsets?.partitions ?? []).map(({ partition, offset }) => ({ partition, offset }));
    },
    close: () => admin.disconnect(),
  };
}

// Replaces KafkaJS's waitForLeaders, which fails if the queried broker does not know the topic yet, as happens on a busy machine.
export async function waitForLeaders(admin: Admin, topics: string[]): Promise<void> {
  for (const deadline = performance.now() + TOPICS_TIMEOUT_MS; ; await delay(POLL_MS)) {
    try {
      const { topics: described } = await admin.fetchTopicMetadata({ topics });
      if (described.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0))) return;
      if (performance.now() > deadline) throw new Error(`topics without leaders: ${topics.join(', ')}`);
    } catch (error) {
      if (!METADATA_NOT_READY.has((error as { type?: string }).type ?? '') || performance.now() > deadline) throw error;
    }
  }
}

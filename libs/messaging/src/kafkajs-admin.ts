import type { TopicSpecification } from '@po/contracts';
import kafkajs, { type Kafka } from 'kafkajs';
import type { AdminPort } from './kafka-port.js';

const { ConfigResourceTypes } = kafkajs;

export async function adminPort(kafka: Kafka): Promise<AdminPort> {
  const admin = kafka.admin({ retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 8 } });
  await admin.connect();
  return {
    topics: () => admin.listTopics(),
    brokerCount: async () => (await admin.describeCluster()).brokers.length,
    createTopics: async (topics) => {
      await admin.createTopics({
        waitForLeaders: true,
        timeout: 30_000,
        topics: topics.map(({ topic, partitions, replication, minInsync, retention, maxMessageBytes }) => ({
          topic,
          numPartitions: partitions,
          replicationFactor: replication,
          configEntries: [
            ...(retention === 'compact'
              ? [{ name: 'cleanup.policy', value: 'compact' }]
              : [
                  { name: 'cleanup.policy', value: 'delete' },
                  { name: 'retention.ms', value: String(retention) },
                ]),
            { name: 'max.message.bytes', value: String(maxMessageBytes) },
            { name: 'min.insync.replicas', value: String(minInsync) },
          ],
        })),
      });
    },
    describe: async (topics) => {
      const { topics: metadata } = await admin.fetchTopicMetadata({ topics: [...topics] });
      const { resources } = await admin.describeConfigs({
        includeSynonyms: false,
        resources: topics.map((name) => ({ type: ConfigResourceTypes.TOPIC, name })),
      });
      return metadata.map(({ name, partitions }): TopicSpecification => {
        const entries = resources.find(({ resourceName }) => resourceName === name)?.configEntries ?? [];
        const entry = (key: string) => entries.find(({ configName }) => configName === key)?.configValue;
        return {
          topic: name,
          partitions: partitions.length,
          retention: entry('cleanup.policy') === 'compact' ? 'compact' : Number(entry('retention.ms')),
          maxMessageBytes: Number(entry('max.message.bytes')),
        };
      });
    },
    offsets: async (topic) => admin.fetchTopicOffsets(topic),
    committed: async (group, topic) => {
      const [offsets] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
      return (offsets?.partitions ?? []).map(({ partition, offset }) => ({ partition, offset }));
    },
    deleteGroup: async (group) => {
      await admin.deleteGroups([group]);
    },
    close: () => admin.disconnect(),
  };
}

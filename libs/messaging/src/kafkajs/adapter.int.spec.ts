import kafkajs from 'kafkajs';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { kafkaBrokers } from '@po/testing/stores';
import { describeKafkaPort } from '../fixtures/kafka-port-contract.js';
import { connectKafka } from './adapter.js';

const { Kafka, logLevel } = kafkajs;

describeKafkaPort(
  'KafkaJS',
  () => connectKafka({ KAFKA_BROKERS: kafkaBrokers() }, 'contract', pino({ level: 'silent' })),
  async (_kafka, topic) => {
    const admin = new Kafka({ brokers: kafkaBrokers(), logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [topic] });
    await eventually('it is deleted', async () => !(await admin.listTopics()).includes(topic));
    await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true });
    await admin.disconnect();
  },
);

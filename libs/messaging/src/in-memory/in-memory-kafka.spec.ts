import { InMemoryKafka } from './in-memory-kafka.js';
import { describeKafkaPort } from '../fixtures/kafka-port-contract.js';

describeKafkaPort(
  'InMemoryKafka',
  () => new InMemoryKafka(),
  (kafka, topic) => kafka.recreateTopic(topic),
);

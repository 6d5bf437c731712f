import { InMemoryKafka } from './in-memory-kafka.js';
import { describeKafkaPort } from '../../../../test/support/kafka-port-contract.js';

describeKafkaPort('InMemoryKafka', () => new InMemoryKafka());

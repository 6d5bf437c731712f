import { pino } from 'pino';
import { kafkaBrokers } from '../../../../test/support/stores.js';
import { describeKafkaPort } from '../../../../test/support/kafka-port-contract.js';
import { connectKafka } from './adapter.js';

describeKafkaPort('KafkaJS', () =>
  connectKafka({ KAFKA_BROKERS: kafkaBrokers() }, 'contract', pino({ level: 'silent' })),
);

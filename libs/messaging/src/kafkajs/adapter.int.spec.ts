import { pino } from 'pino';
import { kafkaBrokers } from '@po/testing/stores';
import { describeKafkaPort } from '../fixtures/kafka-port-contract.js';
import { recreateTopic } from '../fixtures/recreate-topic.js';
import { connectKafka } from './adapter.js';

describeKafkaPort(
  'KafkaJS',
  () => connectKafka({ KAFKA_BROKERS: kafkaBrokers() }, 'contract', pino({ level: 'silent' })),
  (kafka, topic) => recreateTopic(kafka, kafkaBrokers(), topic),
);

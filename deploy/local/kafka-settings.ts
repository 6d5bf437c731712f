import type { KafkaSettings } from '@po/messaging';
import { readKafkaConfig } from '@po/platform';
import { readSettings } from './config.js';

/**
 * Connection settings for the brokers at these comma-separated addresses. Configured brokers use TLS and SASL as in the environment;
 * brokers that this stack started use plain text.
 */
export const kafkaAt = (brokers: string): KafkaSettings =>
  brokers === readSettings().external.kafkaBrokers ? readKafkaConfig() : { KAFKA_BROKERS: brokers.split(',') };

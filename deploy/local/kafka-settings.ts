import type { KafkaSettings } from '@po/messaging';
import { readKafkaConfig } from '@po/platform';
import { readSettings } from './config.js';

/**
 * How the brokers at these addresses, separated by commas, are reached: configured ones as the environment says, with TLS and SASL, those of
 * a stack of its own plainly.
 */
export const kafkaAt = (brokers: string): KafkaSettings =>
  brokers === readSettings().external.kafkaBrokers ? readKafkaConfig() : { KAFKA_BROKERS: brokers.split(',') };

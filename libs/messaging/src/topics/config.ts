import {
  commonSettings,
  kafkaRules,
  kafkaSettings,
  loadConfig,
  nonNegativeInteger,
  positiveInteger,
  setting,
  withCrossFieldRules,
} from '@po/platform';
import { z } from 'zod';

const Variables = z
  .object({
    ...kafkaSettings,
    LOG_LEVEL: commonSettings.LOG_LEVEL,
    // Fixed instead of the current number of brokers, because a topic keeps its replication factor forever.
    KAFKA_REPLICATION: setting(
      positiveInteger.default(3),
      'replicas of each partition; the job waits for this number of brokers',
    ),
    KAFKA_MIN_INSYNC_REPLICAS: setting(
      positiveInteger.optional(),
      'replicas that must store a record before a write succeeds; by default KAFKA_REPLICATION - 1, at least 1',
      '2',
    ),
    KAFKA_RPC_REPLICATION: setting(
      positiveInteger.default(1),
      'replicas of the request and reply topics; with more than one, a lost broker stops them all',
    ),
    KAFKA_BROKERS_WAIT_MS: setting(
      nonNegativeInteger.default(60_000),
      'milliseconds for which the job waits for brokers before it fails',
    ),
  })
  .refine(({ KAFKA_REPLICATION: all, KAFKA_MIN_INSYNC_REPLICAS: least = 1 }) => least <= all, {
    path: ['KAFKA_MIN_INSYNC_REPLICAS'],
    error: 'must not be more than KAFKA_REPLICATION, or no record could ever be written',
  })
  .refine(({ KAFKA_REPLICATION: all, KAFKA_RPC_REPLICATION: some }) => some <= all, {
    path: ['KAFKA_RPC_REPLICATION'],
    error: 'must not be more than KAFKA_REPLICATION, the number of brokers that the job waits for',
  });

export const TopicsJobSettings = withCrossFieldRules(Variables, kafkaRules);

export const readTopicsJobConfig = () => loadConfig(TopicsJobSettings);

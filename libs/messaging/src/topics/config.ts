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
      'replicas of each partition; the job waits for as many brokers',
      '3',
    ),
    KAFKA_MIN_INSYNC_REPLICAS: setting(
      positiveInteger.optional(),
      'replicas that must have a record before it counts; KAFKA_REPLICATION less one, at least 1, if absent',
      '2',
    ),
    KAFKA_RPC_REPLICATION: setting(
      positiveInteger.default(1),
      'replicas of requests and answers; with more than one, a broker that is lost stops them all',
      '1',
    ),
    KAFKA_BROKERS_WAIT_MS: setting(
      nonNegativeInteger.default(60_000),
      'milliseconds after which the job no longer waits for brokers, and fails',
      '60000',
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

import {
  actorVerificationKeys,
  commonSettings,
  kafkaRules,
  loadConfig,
  redisRules,
  redisTlsSettings,
  redisUrl,
  setting,
  withCrossFieldRules,
  withRedisTls,
} from '@po/platform';
import { z } from 'zod';

const Variables = z.object({
  ...commonSettings,
  REDIS_URL: setting(
    redisUrl,
    'Redis that holds the counters and the activity feeds; it may be empty or down at any time',
    'rediss://dashboard:secret@redis:6379',
  ),
  ...redisTlsSettings,
  ACTOR_VERIFICATION_KEYS: actorVerificationKeys,
});

/** Environment of the service. Importing it starts nothing. */
export const Settings = withCrossFieldRules(Variables, [...kafkaRules, ...redisRules]);

/** Environment of the service. If it is invalid, reports every problem at once and exits with 78. */
export const readConfig = () => withRedisTls(loadConfig(Settings));

const RebuildSettings = z.object({
  LOG_LEVEL: commonSettings.LOG_LEVEL,
  REDIS_URL: Settings.shape.REDIS_URL,
  ...redisTlsSettings,
});

export const readRebuildConfig = () => withRedisTls(loadConfig(withCrossFieldRules(RebuildSettings, redisRules)));

export type Config = ReturnType<typeof readConfig>;

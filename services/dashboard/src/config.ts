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

/** The service's environment, readable without starting anything. */
export const Settings = withCrossFieldRules(Variables, [...kafkaRules, ...redisRules]);

/** The service's environment. Exits with 78 and every problem at once when it is wrong. */
export const readConfig = () => withRedisTls(loadConfig(Settings));

const RebuildSettings = z.object({
  LOG_LEVEL: commonSettings.LOG_LEVEL,
  REDIS_URL: Settings.shape.REDIS_URL,
  ...redisTlsSettings,
});

export const readRebuildConfig = () => withRedisTls(loadConfig(withCrossFieldRules(RebuildSettings, redisRules)));

export type Config = ReturnType<typeof readConfig>;

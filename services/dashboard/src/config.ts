import {
  actorVerificationKeys,
  commonSettings,
  kafkaRules,
  loadConfig,
  redisUrl,
  setting,
  together,
} from '@po/platform';
import { z } from 'zod';

/** The service's environment, readable without starting anything. */
export const Settings = z.object({
  ...commonSettings,
  REDIS_URL: setting(
    redisUrl,
    'Redis that holds the counters and the activity feeds; it may be empty or away at any time',
    'redis://dashboard:secret@redis:6379',
  ),
  ACTOR_VERIFICATION_KEYS: actorVerificationKeys,
});

/** The service's environment. Exits with 78 and every problem at once when it is wrong. */
export const readConfig = () => loadConfig(together(Settings, kafkaRules));

/** What the rebuild job reads. */
export const readRebuildConfig = () => loadConfig(Settings.pick({ LOG_LEVEL: true, REDIS_URL: true }));

export type Config = ReturnType<typeof readConfig>;

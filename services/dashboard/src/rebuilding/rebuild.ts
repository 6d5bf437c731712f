import { createLogger } from '@po/platform';
import { waitUntilConnected } from '@po/redis';
import { readRebuildConfig } from '../config.js';
import { connectProjection } from '../projection/connection.js';
import { Counters } from '../projection/counters.js';
import { keysUnder } from '../projection/keys.js';
import { requestRebuild } from './request-rebuild.js';

const REDIS_TIMEOUT_MS = 5_000;
const STALL_TIMEOUT_MS = 60_000;

// The rebuild job: `node rebuild.js`. It only discards the projection; the running dashboard builds the next one.
const { LOG_LEVEL, REDIS_URL } = readRebuildConfig();
const logger = createLogger('dashboard-rebuild', LOG_LEVEL);
const redis = connectProjection(REDIS_URL, logger, REDIS_TIMEOUT_MS);
try {
  await waitUntilConnected(redis, AbortSignal.timeout(REDIS_TIMEOUT_MS));
  const outcome = await requestRebuild(new Counters(redis, keysUnder()), STALL_TIMEOUT_MS);
  logger.info(outcome, 'a new generation is active');
} catch (error) {
  logger.fatal({ err: error }, 'the dashboard could not be rebuilt');
  process.exitCode = 1;
} finally {
  redis.disconnect();
}

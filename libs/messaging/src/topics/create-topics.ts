import { createLogger } from '@po/platform';
import { readTopicsJobConfig } from './config.js';
import { ensureTopics } from './ensure-topics.js';
import { connectKafka } from '../connect-kafka.js';

// The topics job. It runs before the services start and again after every release; a second run changes nothing.
const config = readTopicsJobConfig();
const logger = createLogger('topics', config.LOG_LEVEL);
try {
  await ensureTopics(connectKafka(config, 'topics', logger), logger, {
    replication: config.KAFKA_REPLICATION,
    minInsync: config.KAFKA_MIN_INSYNC_REPLICAS,
    rpcReplication: config.KAFKA_RPC_REPLICATION,
    waitMs: config.KAFKA_BROKERS_WAIT_MS,
  });
} catch (error) {
  logger.fatal({ err: error }, 'topics could not be created');
  process.exitCode = 1;
}

import { runCommand } from './lifecycle.js';
import { runJob } from './repair-job.js';
import { runningBrokers } from '../stack/running-stack.js';

/** `npm run dead-letters -- list | show | redrive`: runs the dead-letter tool of the images on the Kafka of the local stack. */
await runCommand(() =>
  runJob('libs/messaging/dist/dead-letters/tool.js', process.argv.slice(2), { KAFKA_BROKERS: runningBrokers() }),
);

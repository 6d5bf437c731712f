import { argumentsOf } from '../option-values.js';
import { runCommand } from './lifecycle.js';
import { runJob } from './repair-job.js';
import { runningStack } from '../stack/running-stack.js';

/** `npm run rebuild-dashboard`: runs the rebuild job of the dashboard service on the Redis of the local stack. */
async function main(): Promise<number> {
  argumentsOf({});
  return runJob('services/dashboard/dist/rebuilding/rebuild.js', [], { REDIS_URL: runningStack().redisUrl });
}

await runCommand(main);

import { join } from 'node:path';
import { type Outcome, outcomeOf } from '../../deploy/local/processes/run.js';
import { REPOSITORY } from '../../deploy/local/repository.js';

/** Runs a repair command as npm does, on the stack in this folder. */
export const repairIn = (folder: string, ...args: string[]): Promise<Outcome> =>
  repairWith({ PO_LOCAL_DIR: folder, KAFKA_BROKERS: '' }, ...args);

/** Runs a repair command as npm does, with these environment variables. */
export const repairWith = (environment: Record<string, string>, ...args: string[]): Promise<Outcome> =>
  outcomeOf(process.execPath, [join(REPOSITORY, 'deploy/local/bootstrap.mjs'), ...args], {
    env: { ...process.env, ...environment, LOG_LEVEL: 'info' },
  });

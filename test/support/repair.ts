import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { REPOSITORY } from '../../deploy/local/repository.js';

export interface RepairOutcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a repair command as npm does, on the stack in this folder. */
export const repairIn = (folder: string, ...args: string[]): Promise<RepairOutcome> =>
  repairWith({ PO_LOCAL_DIR: folder, KAFKA_BROKERS: '' }, ...args);

/** Runs a repair command as npm does, with these environment variables. */
export function repairWith(environment: Record<string, string>, ...args: string[]): Promise<RepairOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(REPOSITORY, 'deploy/local/bootstrap.mjs'), ...args], {
      env: { ...process.env, ...environment, LOG_LEVEL: 'info' },
    });
    const outcome = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (outcome.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (outcome.stderr += chunk.toString()));
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, ...outcome }));
  });
}

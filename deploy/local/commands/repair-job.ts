import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { childEnvironment } from '../config.js';
import { REPOSITORY } from '../repository.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs a program by its path, as production does, with its output on this terminal. Forwards signals. Resolves with the exit code. */
export function runJob(program: string, args: readonly string[], environment: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(REPOSITORY, program), ...args], {
      stdio: 'inherit',
      env: childEnvironment(environment),
    });
    const forward = (signal: NodeJS.Signals) => void child.kill(signal);
    for (const signal of SIGNALS) process.on(signal, forward);
    child.once('error', reject);
    child.once('exit', (code) => {
      for (const signal of SIGNALS) process.off(signal, forward);
      resolve(code ?? 1);
    });
  });
}

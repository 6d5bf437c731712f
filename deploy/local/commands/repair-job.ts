import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { childEnvironment } from '../config.js';
import { REPOSITORY } from '../repository.js';

/** Runs a program as production does, by its path, with its output on this terminal; resolves with its exit code. */
export function runJob(program: string, args: readonly string[], environment: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(REPOSITORY, program), ...args], {
      stdio: 'inherit',
      env: childEnvironment(environment),
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

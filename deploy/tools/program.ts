import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { childEnvironment } from '#local/config.js';
import type { Source } from './tools.js';

export type Of<By extends Source['by']> = Extract<Source, { by: By }>;

export interface Folders {
  /** Where the programs are called from. */
  bin: string;
  /** What they need beside them. */
  lib: string;
}

/** Runs a program to its end. Resolves with what it printed, rejects with all of it when it fails. */
export function run(
  program: string,
  args: readonly string[],
  cwd?: string,
  environment: Record<string, string> = {},
): Promise<{ stdout: string }> {
  return promisify(execFile)(program, args, { cwd, env: childEnvironment(environment), maxBuffer: 64 * 1024 * 1024 });
}

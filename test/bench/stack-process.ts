import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takePorts } from '#local/processes/ports.js';
import { REPOSITORY } from '#local/repository.js';
import { eventually } from '@po/testing/eventually';
import { ended } from './side-process.js';
import { type StackFile, readStackFile, stackFileIn } from '#local/stack/stack-file.js';

export interface RunningStack {
  /** Where its keys are. */
  folder: string;
  stack: StackFile;
}

/** The environment of services that are measured: they refuse no user, and log no request. */
export const UNLIMITED = {
  LOG_LEVEL: 'warn',
  RATE_LIMIT_READS_PER_MINUTE: '0',
  RATE_LIMIT_WRITES_PER_MINUTE: '0',
  EXPORTS_PER_MINUTE: '0',
};

const START_TIMEOUT_MS = 180_000;

export interface StackProcess {
  /** Rejects when the stack cannot be had. */
  ready: Promise<RunningStack>;
  /** Ends it and leaves its folder. */
  end: () => Promise<void>;
  /** Ends it and removes its folder; to be called in any case. */
  stop: () => Promise<void>;
}

/** Starts an own stack as `npm start` does, without rate limits, in a temporary folder: empty but for what `fill` puts there. */
export function startStackProcess(fill: (folder: string) => Promise<void> = () => Promise.resolve()): StackProcess {
  const { folder, remove } = temporaryFolder();
  const spawning = fill(folder)
    .then(() => takePorts(folder, ['gateway']))
    .then(({ gateway }) => spawnStack(folder, gateway));
  const end = async () => {
    const child = await spawning.catch(() => null);
    if (child) await ended(child, 'SIGTERM');
  };
  const stop = async () => {
    await end();
    remove();
  };
  return { ready: spawning.then((child) => whenReady(folder, child)), end, stop };
}

/** A new folder for a stack; `remove` it when the stack has ended. */
export function temporaryFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'po-bench-'));
  // PostgreSQL may run as another user than this one and must reach its data.
  chmodSync(folder, 0o755);
  // A program that made the databases when the stop came may still be writing.
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  return { folder, remove };
}

function spawnStack(folder: string, port: number): ChildProcess {
  return spawn(process.execPath, [join(REPOSITORY, 'deploy/local/bootstrap.mjs'), 'start', '--no-demo'], {
    env: {
      ...process.env,
      PO_LOCAL_DIR: folder,
      PORT: String(port),
      ...UNLIMITED,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function whenReady(folder: string, child: ChildProcess): Promise<RunningStack> {
  const find = () => {
    const stack = readStackFile(stackFileIn(folder));
    return stack?.ready === true && stack;
  };
  const giveUp = () =>
    child.exitCode === null ? undefined : new Error(`the stack exited with ${child.exitCode} before it was ready`);
  return { folder, stack: await eventually('the stack is ready', find, { timeoutMs: START_TIMEOUT_MS, giveUp }) };
}

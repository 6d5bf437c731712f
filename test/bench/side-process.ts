import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { HEAP_OPTIONS } from '#local/stack/services.js';

/** A process of the benchmark that answers HTTP or takes messages. */
export interface SideProcess {
  pid: number;
  /** Without a path; empty for one that does not listen. */
  url: string;
  stop: () => Promise<void>;
}

// As the local stack starts its services: the sides must not differ by their heap.
const NODE_OPTIONS = ['--no-warnings', ...HEAP_OPTIONS];

/** Forks a program of this folder and resolves when it says that it is ready. Rejects when it exits before. */
export async function startSideProcess(program: string, env: NodeJS.ProcessEnv): Promise<SideProcess> {
  const child = fork(join(import.meta.dirname, program), { env, execArgv: NODE_OPTIONS });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', ({ url: announced }: { url: string }) => resolve(announced));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${program} exited with ${code} before it was ready`)));
  });
  return { pid: child.pid ?? 0, url, stop: () => ended(child) };
}

/** Ends a child by this signal and resolves when it is gone. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((done) => child.once('exit', done));
  child.kill(signal);
  await exited;
}

/** In a forked program: tells the benchmark where it listens, and ends with the benchmark. */
export function announceUrl(url: string): void {
  process.once('disconnect', () => process.exit());
  process.send?.({ url });
}

import type { ChildProcess } from 'node:child_process';
import type { ServiceName } from '../../deploy/local/stack/stack-file.js';

/** A container, or what stands for one. */
export interface Running {
  /** What it printed so far. */
  output: () => string;
  /** Has it ended by SIGTERM, as a cluster does. */
  stop: () => Promise<void>;
  signal: (name: NodeJS.Signals) => Promise<void>;
  /** Its exit code; null for one that a signal ended. */
  exited: Promise<number | null>;
}

/** How images are run. `command`: in /app, instead of the image's own in its WORKDIR. */
export type Run = (service: ServiceName, environment: Record<string, string>, command?: readonly string[]) => Running;

/** What a child process stands for. */
export function runningOf(child: ChildProcess, ways: Pick<Running, 'stop' | 'signal'>): Running {
  let output = '';
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (output += text.toString()));
  return { output: () => output, exited, ...ways };
}

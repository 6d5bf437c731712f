import { readSettings } from '../config.js';
import { hasProcesses } from '../processes/leftovers.js';
import { type StackFile, readStackFile, stackFileIn } from './stack-file.js';

/** The stack that runs in this folder; null if none runs, as after a reboot, which leaves its `stack.json`. */
export function stackIn(dir: string): StackFile | null {
  const stack = readStackFile(stackFileIn(dir));
  return stack && hasProcesses(dir) ? stack : null;
}

/** The configured brokers, or else those of the local stack. */
export function runningBrokers(): string {
  const { dir, external } = readSettings();
  const found = external.kafkaBrokers ?? stackIn(dir)?.kafkaBrokers;
  if (!found) throw new Error(`no stack runs in ${dir}: start one with "npm start", or set KAFKA_BROKERS`);
  return found;
}

/** The running local stack. If none runs, throws an error that explains how to start one. */
export function runningStack(): StackFile {
  const { dir } = readSettings();
  const stack = stackIn(dir);
  if (!stack) throw new Error(`no stack runs in ${dir}: start one with "npm start"`);
  return stack;
}

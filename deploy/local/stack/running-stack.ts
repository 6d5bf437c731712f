import { readSettings } from '../config.js';
import { type StackFile, readStackFile, stackFileIn } from './stack-file.js';

/** Brokers of the stack that runs here, else the configured ones. */
export function runningBrokers(): string {
  const { dir, external } = readSettings();
  const found = readStackFile(stackFileIn(dir))?.kafkaBrokers ?? external.kafkaBrokers;
  if (!found) throw new Error(`no stack runs in ${dir}: start one by "npm start", or set KAFKA_BROKERS`);
  return found;
}

/** The stack that runs here. Throws, saying how to get one, when none does. */
export function runningStack(): StackFile {
  const { dir } = readSettings();
  const stack = readStackFile(stackFileIn(dir));
  if (!stack) throw new Error(`no stack runs in ${dir}: start one by "npm start"`);
  return stack;
}

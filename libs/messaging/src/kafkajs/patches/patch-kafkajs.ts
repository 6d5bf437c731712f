import { createRequire } from 'node:module';

const PATCHED = Symbol.for('po.kafkajs.patched');
const require = createRequire(import.meta.url);

/** A module of KafkaJS's own, such as `network/connection`. */
export function kafkaJsModule<T>(path: string): T {
  return require(`kafkajs/src/${path}.js`) as T;
}

/** Applies `patch` to that module, once in a process. */
export function patchKafkaJs<T extends object>(path: string, patch: (target: T) => void): void {
  const target = kafkaJsModule<T & { [PATCHED]?: boolean }>(path);
  if (target[PATCHED]) return;
  patch(target);
  target[PATCHED] = true;
}

/** The function that a patch replaces. Throws when KafkaJS has it no longer, instead of patching nothing in silence. */
export function original<T extends (...args: never[]) => unknown>(method: T | undefined, name: string): T {
  if (typeof method !== 'function') throw new Error(`KafkaJS changed: ${name} is gone`);
  return method;
}

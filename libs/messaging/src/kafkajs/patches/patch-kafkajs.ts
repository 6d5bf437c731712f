import { createRequire } from 'node:module';

const PATCHED = Symbol.for('po.kafkajs.patched');
const require = createRequire(import.meta.url);

/** An internal module of KafkaJS, such as `network/connection`. */
export function kafkaJsModule<T>(path: string): T {
  return require(`kafkajs/src/${path}.js`) as T;
}

/** Applies `patch` to the module, once per process. */
export function patchKafkaJs<T extends object>(path: string, patch: (target: T) => void): void {
  const target = kafkaJsModule<T & { [PATCHED]?: boolean }>(path);
  if (target[PATCHED]) return;
  patch(target);
  target[PATCHED] = true;
}

/** The method that a patch replaces. Throws if KafkaJS no longer has it, so that no patch silently does nothing. */
export function original<T extends (...args: never[]) => unknown>(method: T | undefined, name: string): T {
  if (typeof method !== 'function') throw new Error(`KafkaJS changed: ${name} is gone`);
  return method;
}

import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 200;

/**
 * Runs `work` while no other process on this machine runs work with this name. Linux only: the lock is a socket in the abstract
 * namespace, which the kernel releases even if the process crashes.
 */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const lock = createServer();
  for (;;) {
    lock.listen(`\0${name}`);
    try {
      await once(lock, 'listening');
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
    await delay(POLL_MS);
  }
  try {
    return await work();
  } finally {
    lock.close();
  }
}

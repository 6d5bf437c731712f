import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_DIR } from '../../deploy/local/config.js';
import type { Processes } from '../../deploy/local/processes/processes.js';
import { missingForKafka } from '../../deploy/local/stores/embedded-kafka.js';
import type { KafkaSecurity, SecuredListener } from '../../deploy/local/stores/kafka-security.js';
import { startOwnKafka } from './own-kafka.js';

export interface SecuredKafka {
  /** For client certificates; deleted when the broker is stopped. */
  folder: string;
  processes: Processes;
  /** Address of the listener on which every client may do everything. */
  plain: string;
  /** Address of a secured listener by its name. */
  at: (listener: string) => string;
  stop: () => Promise<void>;
}

/** Starts one broker whose listeners authenticate clients. Rejects with what to install if Kafka cannot run. */
export async function startSecuredKafka(
  listeners: readonly Omit<SecuredListener, 'port'>[],
  security: Omit<KafkaSecurity, 'listeners'>,
): Promise<SecuredKafka> {
  const missing = await missingForKafka(DEFAULT_DIR);
  if (missing.length > 0) throw new Error(`this test needs a Kafka of its own: ${missing.join('; ')}`);
  const folder = await mkdtemp(join(tmpdir(), 'po-secured-'));
  // PostgreSQL may run as another user, which must be able to reach data in this folder.
  await chmod(folder, 0o755);
  const { addresses, portOf, processes, stop } = await startOwnKafka(folder, {
    ports: listeners.map(({ name }) => name),
    security: (portOf) => ({
      ...security,
      listeners: listeners.map((listener) => ({ ...listener, port: portOf(listener.name) })),
    }),
  });
  return { folder, processes, plain: addresses, at: (name) => `127.0.0.1:${portOf(name)}`, stop };
}

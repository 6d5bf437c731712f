import type { Socket } from 'node:net';
import { original, patchKafkaJs } from './patch-kafkajs.js';

interface Connection {
  socket?: Socket;
  chunks: Buffer[];
  bytesBuffered: number;
  bytesNeeded: number;
  connectionTimeout: number;
  isConnected(): boolean;
}

interface ConnectionClass {
  prototype: { connect?: (this: Connection) => Promise<boolean> };
}

interface Attempt {
  startedAt: number;
  connected: Promise<boolean>;
}

/** Each response begins with its length. */
const LENGTH_BYTES = 4;

// KafkaJS uses a connection object again after its socket broke, and reads what the new socket brings as the rest of a response that
// the old one left half: the process ends by an uncaught error, or waits for a response of gigabytes
// (https://github.com/tulios/kafkajs/issues/715). Requests that find no connection each open a socket, of which one is used and each
// ends the connection when the broker closes it for idleness.
/** Lets KafkaJS begin each connection with nothing read, over one socket. Throws when KafkaJS no longer has the method this replaces. */
export function patchConnection(): void {
  patchKafkaJs<ConnectionClass>('network/connection', ({ prototype }) => {
    const connect = original(prototype.connect, 'Connection.connect');
    const attempts = new WeakMap<Connection, Attempt>();
    prototype.connect = function () {
      if (this.isConnected()) return Promise.resolve(true);
      const current = attempts.get(this);
      if (current && performance.now() - current.startedAt < this.connectionTimeout) return current.connected;
      this.socket?.removeAllListeners('data');
      this.chunks = [];
      this.bytesBuffered = 0;
      this.bytesNeeded = LENGTH_BYTES;
      const attempt: Attempt = {
        startedAt: performance.now(),
        connected: connect.call(this).finally(() => {
          if (attempts.get(this) === attempt) attempts.delete(this);
        }),
      };
      attempts.set(this, attempt);
      return attempt.connected;
    };
  });
}

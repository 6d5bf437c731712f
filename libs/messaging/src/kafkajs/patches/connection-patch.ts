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

/** Each response starts with its length. */
const LENGTH_BYTES = 4;

// KafkaJS reuses a connection object after its socket broke, and reads data of the new socket as the rest of a partial response on the
// old one: the process dies of an uncaught error, or waits for a response of gigabytes
// (https://github.com/tulios/kafkajs/issues/715). Concurrent requests without a connection each open a socket. Only one socket is used,
// but each ends the connection when the broker closes the socket as idle.
/** Makes KafkaJS start each connection with an empty buffer and one socket. Throws if KafkaJS no longer has the replaced method. */
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

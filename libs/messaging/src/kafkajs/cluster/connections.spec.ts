import { describe, expect, it } from '@jest/globals';
import { socketsOf } from './connections.js';

describe('a connection to Kafka', () => {
  it.each([undefined, {}])(
    'names every address of a broker that does not answer, with TLS settings %j',
    async (ssl) => {
      const connect = socketsOf({ KAFKA_BROKERS: [] });
      const socket = connect({ host: '127.0.0.1', port: 0, ssl, onConnect: () => undefined } as never);
      const failed = new Promise<Error>((resolve) => socket.on('error', resolve));
      socket.destroy(new AggregateError([new Error('connect ECONNREFUSED ::1:1'), new Error('timed out')]));
      expect((await failed).message).toBe('connect ECONNREFUSED ::1:1; timed out');
    },
  );
});

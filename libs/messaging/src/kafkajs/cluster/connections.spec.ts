import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createServer } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { makeAuthority } from '@po/testing/certificates';
import { socketsOf } from './connections.js';

const CONNECT = `
  import { socketsOf } from ${JSON.stringify(new URL('../../../dist/kafkajs/cluster/connections.js', import.meta.url))};
  const port = Number(process.argv[1]);
  const socket = socketsOf({ KAFKA_BROKERS: [] })({ host: '127.0.0.1', port, ssl: {}, onConnect });
  socket.on('error', ({ message }) => console.log(message));
  function onConnect() { console.log('connected'); socket.destroy(); }`;

describe('a connection to Kafka', () => {
  it('is verified even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    const server = createServer(await (await makeAuthority('stranger')).certify('kafka')).listen(0, '127.0.0.1');
    server.on('tlsClientError', () => undefined);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const client = spawn(process.execPath, ['--input-type=module', '--eval', CONNECT, String(port)], { env });
    expect(await text(client.stdout)).toContain('not from a trusted CA');
    server.close();
  });

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

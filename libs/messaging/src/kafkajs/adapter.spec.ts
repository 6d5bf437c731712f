import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { connectKafka } from './adapter.js';

describe('TLS to a broker', () => {
  const serverNames: string[] = [];
  let refused = 0;
  // Refuses every handshake for lack of a certificate, but only after it has received the server name.
  const server = createServer({
    SNICallback: (name, done) => {
      serverNames.push(name);
      done(null);
    },
  }).on('tlsClientError', () => (refused += 1));

  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  beforeEach(() => {
    serverNames.length = 0;
    refused = 0;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it.each([
    ['sends the host name of the broker (SNI)', 'localhost', ['localhost']],
    ['sends no name for an IPv4 address', '127.0.0.1', []],
    ['sends no name for an IPv6 address', '[::ffff:127.0.0.1]', []],
  ])('%s', async (_what, host, names) => {
    const { port } = server.address() as AddressInfo;
    const settings = { KAFKA_BROKERS: [`${host}:${port}`], KAFKA_SSL: true };
    const producer = connectKafka(settings, 'tls', pino({ level: 'silent' })).producer({ acks: 'all' });
    await expect(producer.connect()).rejects.toThrow(/handshake|did not answer/);
    expect(refused).toBeGreaterThan(0);
    expect([...new Set(serverNames)]).toEqual(names);
  });
});

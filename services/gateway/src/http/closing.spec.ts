import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from '@jest/globals';
import { runGateway } from '../fixtures/gateway.js';

it('closing does not wait for a connection whose request was answered before its whole body arrived', async () => {
  const gateway = await runGateway();
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  const head = 'POST /api/purchase-orders/PO-1/transition HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
  socket.write(`${head}content-length: 2\r\n\r\n{`);
  const [answer] = (await once(socket, 'data')) as [string];
  expect(answer).toMatch(/^HTTP\/1\.1 401 [^]*\r\nconnection: keep-alive\r\n/i);
  const stopped = gateway.stop();
  socket.write('}');
  await stopped;
  await once(socket, 'close');
});

it('closing ends a connection whose request never completes after the grace period, and answers others until then', async () => {
  const gateway = await runGateway({ closeAllAfterMs: 500 });
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).resume();
  const head = 'POST /api/purchase-orders/PO-1/transition HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
  const closed = once(socket, 'close');
  socket.write(`${head}x-user-token: ${gateway.provider.token()}\r\ncontent-length: 2\r\n\r\n{`);
  expect((await gateway.call('/api/nothing')).status).toBe(404);
  await gateway.stop();
  await closed;
});

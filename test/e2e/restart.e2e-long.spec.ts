import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { EventStream } from '@po/testing/event-stream';
import { eventually } from '@po/testing/eventually';
import { readStack } from '../support/stack.js';
import { historyOf, openWorld } from './world.js';

describe('a restarted gateway', () => {
  it('answers accepted requests, loses nothing, and lets its clients learn every outcome', async () => {
    const world = openWorld();
    const orders = await Promise.all(Array.from({ length: 12 }, () => world.importOrder()));
    const submit = (poNumber: string) =>
      world
        .as('vendor:ACME')
        .post(
          `/purchase-orders/${poNumber}/transition`,
          { action: 'SUBMIT' },
          { 'idempotency-key': `restart-${poNumber}` },
        );
    const { pids, gatewayUrl, tokens } = readStack();
    const stream = await EventStream.open({ gatewayUrl, token: tokens.viewer });
    const pid = pids.gateway[0] ?? 0;
    const inFlight = orders.map(({ poNumber }) => submit(poNumber));
    process.kill(pid, 'SIGTERM');
    const outcomes = await Promise.all(inFlight);
    expect(await stream.ended).toBe(true);
    expect(stream.events.at(-1)).toMatchObject({ name: 'end', data: { reason: 'shutdown' } });
    await eventually('another gateway has taken its place', () => readStack().pids.gateway[0] !== pid);
    // The port is closed until the gateway can get replies, so its first answer is no refusal.
    const first = await eventually('the gateway answers', () => world.as('buyer').get('/me'));
    expect(first.status).toBe(200);
    const reopened = await EventStream.open({ gatewayUrl, token: tokens.viewer });
    expect(reopened.status).toBe(200);
    reopened.close();
    for (const [index, { poNumber }] of orders.entries()) {
      const { status, text, headers } = await submit(poNumber);
      expect([status, text, headers.get('idempotency-replayed')]).toEqual([200, outcomes[index]?.text, 'true']);
      expect((await historyOf(world.as('buyer'), poNumber)).map(({ action }) => action)).toEqual(['SUBMIT', 'IMPORT']);
    }
  });

  it('ends within its 20 s and closes a connection whose request body is incomplete', async () => {
    const { pids, gatewayUrl, tokens } = readStack();
    const { hostname, port } = new URL(gatewayUrl);
    const pid = pids.gateway[0] ?? 0;
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).resume();
    const head = 'PATCH /api/purchase-orders/PO-1 HTTP/1.1\r\nhost: x\r\ncontent-type: application/json';
    socket.write(`${head}\r\nx-user-token: ${tokens['vendor:ACME']}\r\ncontent-length: 9\r\n\r\n{`);
    const closed = once(socket, 'close');
    await eventually('the socket is connected', () => socket.bytesWritten > 0 && !socket.pending);
    process.kill(pid, 'SIGTERM');
    await eventually('another gateway has taken its place', () => readStack().pids.gateway[0] !== pid);
    await closed;
    await eventually('the gateway answers 401', async () => (await fetch(`${gatewayUrl}/api/me`)).status === 401);
  });
});

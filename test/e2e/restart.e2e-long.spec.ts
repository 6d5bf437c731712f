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
});

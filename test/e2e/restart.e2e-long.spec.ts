import { describe, expect, it } from '@jest/globals';
import { EventStream } from '@po/testing/event-stream';
import { eventually } from '@po/testing/eventually';
import { readStack } from '../support/stack.js';
import { historyOf, openWorld } from './world.js';

describe('a gateway that is restarted', () => {
  it('answers what it took, loses nothing, and its clients can learn every outcome', async () => {
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
    const inFlight = orders.map(({ poNumber }) => submit(poNumber).catch((error: Error) => error));
    const { pids, gatewayUrl, tokens } = readStack();
    const stream = await EventStream.open({ gatewayUrl, token: tokens.viewer });
    const pid = pids.gateway[0] ?? 0;
    process.kill(pid, 'SIGTERM');
    const outcomes = await Promise.all(inFlight);
    expect(await stream.ended).toBe(true);
    expect(stream.events.at(-1)).toMatchObject({ name: 'end', data: { reason: 'shutdown' } });
    await eventually('another gateway has taken its place', () => readStack().pids.gateway[0] !== pid, {
      timeoutMs: 30_000,
    });
    // Its port is closed until its answers can come back: the first that it says is no refusal.
    const first = await eventually('it says something', () => world.as('buyer').get('/me'), { timeoutMs: 30_000 });
    expect(first.status).toBe(200);
    const reopened = await EventStream.open({ gatewayUrl, token: tokens.viewer });
    expect(reopened.status).toBe(200);
    reopened.close();
    expect(outcomes).toHaveLength(orders.length);
    for (const { poNumber } of orders) {
      expect((await submit(poNumber)).status).toBe(200);
      expect((await historyOf(world.as('buyer'), poNumber)).map(({ action }) => action)).toEqual(['SUBMIT', 'IMPORT']);
    }
  }, 90_000);
});

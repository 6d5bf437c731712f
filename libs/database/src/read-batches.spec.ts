import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { ReadBatches } from './read-batches.js';

/** A pool that records its connections and the reads sent over each. */
function pool({ broken = false } = {}) {
  const connections: { sent: number[]; failed: boolean }[] = [];
  const batches = new ReadBatches(async (run) => {
    if (broken) throw new Error('no connection');
    const connection = { sent: [] as number[], failed: false };
    connections.push(connection);
    await run(connection as unknown as PoolClient).catch((error: unknown) => {
      connection.failed = true;
      throw error;
    });
  });
  const read = (number: number) =>
    batches.add((client) => {
      (client as unknown as { sent: number[] }).sent.push(number);
      return number === 13 ? Promise.reject(new Error('unlucky')) : Promise.resolve(number * 10);
    });
  return { connections, read };
}

it('a batch sends up to eight reads of one event-loop turn over one connection, in order', async () => {
  const { connections, read } = pool();
  const numbers = Array.from({ length: 10 }, (_, index) => index);
  expect(await Promise.all(numbers.map(read))).toEqual(numbers.map((number) => number * 10));
  expect(connections.map(({ sent }) => sent)).toEqual([numbers.slice(0, 8), numbers.slice(8)]);
  await read(99);
  expect(connections.at(-1)?.sent).toEqual([99]);
});

it('a batch rejects only the failed read and reports the failure to the owner of the connection', async () => {
  const { connections, read } = pool();
  const outcomes = await Promise.allSettled([read(1), read(13), read(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await setImmediate();
  expect(connections).toEqual([{ sent: [1, 13, 2], failed: true }]);
});

it('a batch rejects all its reads if it gets no connection', async () => {
  const { read } = pool({ broken: true });
  const outcomes = await Promise.allSettled([read(1), read(2)]);
  expect(outcomes).toMatchObject([{ reason: { message: 'no connection' } }, { reason: { message: 'no connection' } }]);
});

import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { PATTERNS, TOPICS } from '@po/contracts';
import { Answers, type Reply, okSerialized } from '@po/messaging';
import { eventually } from '@po/testing/eventually';
import { type RunningGateway, runGateway } from '../fixtures/gateway.js';

const GREEDY = 80;
const CONCURRENCY = 64;
const okEmpty = () => okSerialized(Buffer.from('{}'));

let gate: PromiseWithResolvers<void>;

@Controller()
class Services {
  @Answers(PATTERNS.kpis)
  async kpis(): Promise<Reply<never>> {
    await gate.promise;
    return okEmpty();
  }

  @Answers(PATTERNS.detail)
  detail(): Reply<never> {
    return okEmpty();
  }
}

let gateway: RunningGateway;
let before: number;
beforeAll(async () => {
  gateway = await runGateway({ services: [Services] });
});
beforeEach(() => {
  gate = Promise.withResolvers();
  before = receivedCount();
});
afterAll(() => gateway.stop());

const receivedCount = () => gateway.kafka.records(TOPICS.dashboardRpc).length;
const read = (sub: string, path: string, signal: AbortSignal | null = null) =>
  gateway.call(path, { token: gateway.provider.token({ sub, role: 'ADMIN' }), signal });
const readOrder = async (sub: string) => (await read(sub, '/api/purchase-orders/PO-1')).status;
/** Resolves once the maximum number of reads waits for the service. */
async function readGreedily(signal?: AbortSignal) {
  const reads = Array.from({ length: GREEDY }, () => read('greedy', '/api/dashboard/kpis', signal).catch(() => null));
  await eventually('reads are under way', () => receivedCount() - before >= CONCURRENCY);
  return reads;
}

it('reads of one user beyond the limit wait for each other and delay no other user', async () => {
  const greedy = await readGreedily();
  expect(await readOrder('modest')).toBe(200);
  expect(receivedCount() - before).toBe(CONCURRENCY);
  gate.resolve();
  expect((await Promise.all(greedy)).map((answer) => answer?.status)).toEqual(Array(GREEDY).fill(200));
});

it('a queued read whose client has disconnected is not sent to a service', async () => {
  const leaving = new AbortController();
  const greedy = await readGreedily(leaving.signal);
  leaving.abort();
  await Promise.all(greedy);
  await eventually(
    'the gateway notices the disconnects',
    () => gateway.lines.filter((line) => line['aborted']).length === GREEDY,
  );
  gate.resolve();
  expect(await readOrder('greedy')).toBe(200);
  expect(receivedCount() - before).toBe(CONCURRENCY);
});

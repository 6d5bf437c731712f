import { beforeEach, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { type ExportPlan, type ExportedLines, PATTERNS, TOPICS } from '@po/contracts';
import { RequestPattern, type Reply, ok, okSerialized } from '@po/messaging';
import { eventually } from '@po/testing/eventually';
import { gatewayForTests } from '../fixtures/gateway.js';
import { exportedLine, exportedLines } from '../fixtures/sample-exports.js';

const GREEDY = 20;
/** Of a user's first reads. */
const CONCURRENCY = 16;
const okEmpty = () => okSerialized(Buffer.from('{}'));

let gate: PromiseWithResolvers<void>;
/** The plan of an export waits for it. */
let planned: Promise<void>;

@Controller()
class Services {
  @RequestPattern(PATTERNS.kpis)
  async kpis(): Promise<Reply<never>> {
    await gate.promise;
    return okEmpty();
  }

  @RequestPattern(PATTERNS.detail)
  detail(): Reply<never> {
    return okEmpty();
  }

  @RequestPattern(PATTERNS.planExport)
  async planExport(): Promise<Reply<ExportPlan>> {
    await planned;
    return ok({ pages: [[1]], rows: 1 });
  }

  @RequestPattern(PATTERNS.exportLines)
  exportLines(): Reply<ExportedLines[]> {
    return ok([exportedLines([exportedLine()])]);
  }
}

const gateway = gatewayForTests({ services: [Services] });
let before: number;
beforeEach(() => {
  gate = Promise.withResolvers();
  planned = Promise.resolve();
  before = receivedCount();
});

const receivedCount = () => gateway.kafka.records(TOPICS.dashboardRpc).length;
const read = (sub: string, path: string, signal: AbortSignal | null = null) =>
  gateway.call(path, { token: gateway.provider.token({ sub, role: 'ADMIN' }), signal });
const readOrder = async (sub: string) => (await read(sub, '/api/purchase-orders/PO-1')).status;
/** Resolves once this number of reads waits for the service. */
async function readGreedily(running = CONCURRENCY, signal?: AbortSignal) {
  const reads = Array.from({ length: GREEDY }, () => read('greedy', '/api/dashboard/kpis', signal).catch(() => null));
  await eventually('reads are under way', () => receivedCount() - before >= running);
  return reads;
}

it('reads of one user beyond the limit wait for each other and delay no other user', async () => {
  const greedy = await readGreedily();
  expect(await readOrder('modest')).toBe(200);
  expect(receivedCount() - before).toBe(CONCURRENCY);
  gate.resolve();
  expect((await Promise.all(greedy)).map((answer) => answer?.status)).toEqual(Array(GREEDY).fill(200));
});

it('an export of a user whose reads wait does not delay the export of another user', async () => {
  const plan = Promise.withResolvers<void>();
  planned = plan.promise;
  const download = async (sub: string) => (await read(sub, '/api/purchase-order-exports')).text();
  const planRequests = () => gateway.kafka.records(TOPICS.queries).length;
  const planRequestsBefore = planRequests();
  const waiting = download('greedy');
  await eventually('the plan is requested', () => planRequests() > planRequestsBefore);
  const greedy = await readGreedily(CONCURRENCY - 1);
  // The reads that were sent before are at the gateway by then.
  await readOrder('modest');
  const replies = () => gateway.kafka.records(TOPICS.replies).length;
  const repliesBefore = replies();
  plan.resolve();
  await eventually('the plan is answered', () => replies() > repliesBefore);
  // Replies arrive in order, so by the next one the export waits for the turn of its first page.
  await readOrder('modest');
  expect(await download('modest')).toContain('PO-1');
  gate.resolve();
  expect(await waiting).toContain('PO-1');
  await Promise.all(greedy);
});

it('a queued read whose client has disconnected is not sent to a service', async () => {
  const leaving = new AbortController();
  const greedy = await readGreedily(CONCURRENCY, leaving.signal);
  // The reads that were sent before are at the gateway by then.
  await readOrder('modest');
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

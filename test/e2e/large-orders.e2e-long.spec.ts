import { describe, expect, it } from '@jest/globals';
import { requireProc, usageOf } from '../bench/usage.js';
import { largestOrderLines } from '../support/largest-order-lines.js';
import { readStack } from '../support/stack.js';
import { act, detailOf, historyOf, linesOf, openWorld } from './world.js';

const ROUNDS = 6;
/** Maximum number of lines in one request. */
const LINES_PER_REQUEST = 1_000;
const MIB = 1024 * 1024;
/** The part of a replica's 512 MiB that is left for these answers; without a limit they take 440 MiB. */
const MAX_GROWTH_MIB = 350;
const REQUESTS = 30;
const MESSAGES = 200;

describe('an order with the maximum number of lines', () => {
  const world = openWorld();

  const vendor = () => world.as('vendor:ACME');
  const buyer = () => world.as('buyer');

  const lines = largestOrderLines(() => ({ qty: 100, unitPrice: 12.5 }));

  async function replyToAll(poRef: string, rowHashes: readonly string[], round: number): Promise<void> {
    for (let from = 0; from < rowHashes.length; from += LINES_PER_REQUEST) {
      const replies = rowHashes.slice(from, from + LINES_PER_REQUEST).map((rowHash) => ({
        rowHash,
        vendorReplyQty: 100 + round,
        vendorReplyUnitPrice: 10 + round / 10,
      }));
      const { status } = await vendor().patch(`/purchase-orders/${poRef}/line-items`, { lines: replies });
      expect(status).toBe(200);
    }
  }

  it('is negotiated in six rounds, and its whole history is sent to as many callers as memory allows', async () => {
    const { poNumber } = await world.importOrder({ lines });
    const rowHashes = (await linesOf(vendor(), poNumber)).flatMap(({ sizes }) =>
      Object.values(sizes).map(({ rowHash }) => rowHash),
    );
    expect(rowHashes).toHaveLength(lines.length);
    for (let round = 1; round <= ROUNDS; round += 1) {
      await replyToAll(poNumber, rowHashes, round);
      await act(vendor(), poNumber, 'SUBMIT');
      await act(buyer(), poNumber, 'REJECT', 'too dear');
    }
    const history = await historyOf(buyer(), poNumber);
    expect(history.map(({ action }) => action)).toEqual([
      ...Array.from({ length: ROUNDS }, () => ['REJECT', 'SUBMIT']).flat(),
      'IMPORT',
    ]);
    expect(history.map(({ changes }) => changes?.lines.length ?? 0)).toEqual([
      ...Array.from({ length: ROUNDS }, () => [0, 2 * lines.length]).flat(),
      0,
    ]);
    // Exceeds the limit of a record on the reply topic.
    expect(Buffer.byteLength(JSON.stringify(history))).toBeGreaterThan(8 * MIB);
    for (let messages = 0; messages < MESSAGES; messages += 1) {
      await vendor().post(`/purchase-orders/${poNumber}/messages`, { body: '😀'.repeat(4_000) });
    }
    const { gatewayUrl, tokens, pids } = readStack();
    // The gateway sends eight reads of each at a time.
    const users = [tokens.buyer, tokens.buyer2, tokens.admin, tokens.viewer];
    const ask = async (part: string, nth: number) => {
      const url = `${gatewayUrl}/api/purchase-orders/${poNumber}/${part}`;
      const answer = await fetch(url, { headers: { 'x-user-token': users[nth % users.length] ?? '' } });
      await answer.arrayBuffer();
      return answer;
    };
    requireProc();
    const replicas = [...pids.gateway, ...pids.purchaseOrders].map((pid) => ({ pid, before: usageOf(pid).residentMb }));
    let growth = 0;
    const watch = setInterval(() => {
      growth = Math.max(growth, ...replicas.map(({ pid, before }) => usageOf(pid).residentMb - before));
    }, 50);
    for (const part of ['history', 'line-items', 'diff', 'messages?limit=200']) {
      const answers = await Promise.all(Array.from({ length: REQUESTS }, (_, nth) => ask(part, nth)));
      // 504: a busy machine took longer than the caller waits.
      const others = answers.filter(({ status }) => status !== 200 && status !== 504);
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      for (const { status, headers } of others) expect([status, headers.has('retry-after')]).toEqual([503, true]);
    }
    clearInterval(watch);
    expect(readStack().pids).toEqual(pids);
    expect(growth).toBeLessThan(MAX_GROWTH_MIB);
    expect((await historyOf(buyer(), poNumber)).length).toBe(history.length);
    expect(await detailOf(buyer(), poNumber)).toMatchObject({ statusId: 150 });
  });
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import { type HeaderPatch, type LinePatch, PATTERNS, TOPICS } from '@po/contracts';
import { actors } from '@po/testing/actors';
import { register } from 'prom-client';
import { inventoryOf, revision, withQty } from '../fixtures/inventory.js';
import { contextOf, ordersDatabaseForTests, storedLines } from '../fixtures/orders-database.js';

const database = ordersDatabaseForTests();
let inventory: ReturnType<typeof inventoryOf>;
beforeAll(() => {
  inventory = inventoryOf(database);
});

const transition = (poRef: string, action: 'SUBMIT' | 'APPROVE' | 'RECALL', actor: Parameters<typeof contextOf>[0]) =>
  database.service.transition({ poRef, request: { action } }, contextOf(actor, PATTERNS.transition.type));
const replyLines = (poRef: string, lines: LinePatch[]) =>
  database.service.updateLines({ poRef, patch: { lines } }, contextOf(actors.acme, PATTERNS.updateLines.type));
const replyHeader = (poRef: string, patch: HeaderPatch) =>
  database.service.updateHeader({ poRef, patch }, contextOf(actors.acme, PATTERNS.updateHeader.type));

/** Creates an order and approves it with 4 instead of 10 pieces in its first line. */
async function approved(poNumber: string): Promise<void> {
  await inventory.upsert(revision(poNumber));
  const [first] = await storedLines(database, poNumber);
  await replyLines(poNumber, [{ rowHash: String(first?.rowHash), vendorReplyQty: 4 }]);
  await transition(poNumber, 'SUBMIT', actors.acme);
  await transition(poNumber, 'APPROVE', actors.buyer);
}

describe('a message', () => {
  test('that is ignored is counted once', async () => {
    const count = async () => (await register.getSingleMetric('inventory_ignored_total')!.get()).values[0]?.value;
    expect(await count()).toBe(0);
    await inventory.upsert(revision('L-5', 2));
    await inventory.upsert(withQty('L-5', 2, 99));
    await inventory.cancel('L-5', 1);
    expect(await count()).toBe(2);
    await inventory.cancel('L-5', 3);
    await inventory.cancel('L-5', 4);
    await inventory.upsert(withQty('L-5', 5, 99));
    expect(await count()).toBe(4);
    // Batches are stored again, one message at a time, if a message of another vendor is among them.
    const other = { ...revision('L-5', 6), vendor: { code: 'OTHER', name: 'Other' } };
    const messages = [revision('L-6'), revision('L-7'), other, withQty('L-8', 1, 99), withQty('L-5', 2, 99)];
    await inventory.upsert(revision('L-8', 2));
    await Promise.allSettled(messages.map((message) => inventory.upsert(message)));
    expect(await count()).toBe(6);
  });

  test('is ignored if it is late or repeated', async () => {
    await inventory.importIn('L-0', 300);
    const before = await inventory.traces('L-0');
    await inventory.upsert(withQty('L-0', 1, 99));
    await inventory.upsert(withQty('L-0', 0, 99));
    await inventory.cancel('L-0', 1);
    expect(await inventory.traces('L-0')).toEqual(before);
  });

  test('with a newer revision of the same content changes only the revision and the sync time', async () => {
    await inventory.upsert(revision('L-1'));
    const before = await inventory.traces('L-1');
    await inventory.upsert(revision('L-1', 2));
    const after = await inventory.traces('L-1');
    const last_synced_at = after.row?.last_synced_at;
    const source_digest: unknown = expect.stringMatching(/^2\//);
    expect(after).toEqual({ ...before, row: { ...before.row, source_revision: '2', source_digest, last_synced_at } });
    expect(Number(last_synced_at)).toBeGreaterThanOrEqual(Number(before.row?.last_synced_at));
  });

  test('with a newer revision does not move the sync time back, even if the clock of a replica was ahead', async () => {
    await inventory.upsert(revision('L-4'));
    const ahead = new Date(Date.now() + 3_600_000);
    await database.inspect('UPDATE purchase_orders SET last_synced_at = $1 WHERE po_number = $2', [ahead, 'L-4']);
    await inventory.upsert(revision('L-4', 2));
    expect(await inventory.rowOf('L-4')).toMatchObject({ source_revision: '2', last_synced_at: ahead });
    await inventory.upsert(withQty('L-4', 3, 11));
    expect(await inventory.rowOf('L-4')).toMatchObject({ source_revision: '3', version: 2, last_synced_at: ahead });
  });

  test('that echoes the agreed values changes nothing visible, even if repeated, until the source changes them', async () => {
    await approved('L-2');
    const { row, history, outbox } = await inventory.traces('L-2');
    for (const echo of [2, 3]) {
      await inventory.upsert(withQty('L-2', echo, 4));
      const after = await inventory.traces('L-2');
      expect(after).toMatchObject({ row: { version: row?.version, status_id: 300 }, history, outbox });
      expect(after.lines[0]).toMatchObject({ qty: { original: 10, source: 4, reply: 4 } });
    }
    await inventory.upsert(withQty('L-2', 4, 10));
    expect(await inventory.rowOf('L-2')).toMatchObject({ status_id: 150, version: (row?.version ?? 0) + 1 });
  });

  test('with other remarks changes the version and the published state, without a history entry', async () => {
    await approved('L-3');
    const before = await inventory.traces('L-3');
    await inventory.upsert(revision('L-3', 2, { remarks: 'gift box' }));
    const { row, history, outbox } = await inventory.traces('L-3');
    expect([row?.version, row?.status_id, history]).toEqual([(before.row?.version ?? 0) + 1, 300, before.history]);
    const [last] = outbox.slice(before.outbox.length);
    expect(last?.messages.map(({ topic }) => topic)).toEqual([TOPICS.state]);
    expect(JSON.parse(last?.messages[0]?.value ?? '')).toMatchObject({ remarks: 'gift box', poVersion: row?.version });
  });
});

describe('a commercial change', () => {
  test('drops the replies to changed values, and keeps other replies and the agreed values', async () => {
    await approved('C-1');
    await transition('C-1', 'RECALL', actors.buyer);
    await replyHeader('C-1', { vendor_reply_xfd: '2026-04-01', vendor_reply_factory: 'F2' });
    await transition('C-1', 'SUBMIT', actors.acme);
    await inventory.upsert({ ...withQty('C-1', 2, 12), xfd: '2026-03-09' });
    const { row, lines, history } = await inventory.traces('C-1');
    expect(row).toMatchObject({
      status_id: 150,
      vendor_reply_xfd: null,
      vendor_reply_factory: 'F2',
      // The driver reads a date as local midnight.
      agreed_xfd: new Date(2026, 2, 1),
      has_pending_changes: true,
    });
    expect(lines[0]).toMatchObject({ qty: { original: 12, reply: null, agreed: 4 } });
    expect(history.at(-1)).toMatchObject({
      action: 'SOURCE_UPDATE',
      from_status_id: 200,
      to_status_id: 150,
      actor_role: 'SYSTEM',
      actor_id: null,
    });
    expect(history.at(-1)?.changes).toEqual({
      header: [
        { field: 'xfDate', from: '2026-03-01', to: '2026-03-09' },
        { field: 'vendorReplyXfd', from: '2026-04-01', to: null },
      ],
      lines: [
        expect.objectContaining({ field: 'qty', from: 10, to: 12 }),
        expect.objectContaining({ field: 'vendorReplyQty', from: 4, to: null }),
      ],
    });
  });

  test.each([[1], [2], [3], [4], [5]])(
    'concurrent with a SUBMIT gives one series of versions (round %s)',
    async (round) => {
      const poNumber = `C-3-${round}`;
      await inventory.upsert(revision(poNumber));
      await Promise.all([transition(poNumber, 'SUBMIT', actors.acme), inventory.upsert(withQty(poNumber, 2, 11))]);
      const { row, history, outbox } = await inventory.traces(poNumber);
      const submittedFirst = history[1]?.action === 'SUBMIT';
      expect([row?.version, row?.sequence, row?.status_id]).toEqual([3, 3, submittedFirst ? 150 : 200]);
      expect(outbox.map(({ version }) => version)).toEqual([1, 2, 3]);
    },
  );
});

describe('a cancellation by the source', () => {
  test('cancels a confirmed order once, with its reason as comment', async () => {
    await inventory.importIn('X-1', 300);
    await inventory.cancel('X-1', 2, 'season dropped');
    const after = await inventory.traces('X-1');
    expect(after.row).toMatchObject({ status_id: 900, version: 2, source_revision: '2', has_source_conflict: false });
    expect(after.history.at(-1)).toMatchObject({
      action: 'SOURCE_CANCEL',
      from_status_id: 300,
      to_status_id: 900,
      comment: 'season dropped',
      actor_role: 'SYSTEM',
    });
    await inventory.cancel('X-1', 2, 'season dropped');
    expect(await inventory.traces('X-1')).toEqual(after);
  });

  test('in status 500 is one conflict even if repeated with newer revisions; another reason is a second conflict', async () => {
    await inventory.importIn('X-AGAIN', 500);
    for (const revision of [2, 3, 4]) await inventory.cancel('X-AGAIN', revision, 'season dropped');
    expect((await inventory.traces('X-AGAIN')).row).toMatchObject({
      version: 2,
      source_revision: '4',
      has_source_conflict: true,
    });
    await inventory.cancel('X-AGAIN', 5, 'vendor closed');
    const { row, history } = await inventory.traces('X-AGAIN');
    expect([row, history.at(-1)]).toMatchObject([{ version: 3, source_revision: '5' }, { comment: 'vendor closed' }]);
  });
});

import { beforeAll, expect, test } from '@jest/globals';
import { type Action, type LinePatch, PATTERNS } from '@po/contracts';
import { type Reply, serializeBody } from '@po/messaging';
import { actors } from '@po/testing/actors';
import { inventoryOf, revision, withQty } from '../fixtures/inventory.js';
import { type OrdersDatabase, contextOf, ordersDatabaseForTests, storedLines } from '../fixtures/orders-database.js';

type Replica = Awaited<ReturnType<OrdersDatabase['replica']>>;

const database = ordersDatabaseForTests();
let inventory: ReturnType<typeof inventoryOf>;
let replicas: [Replica, Replica];
beforeAll(async () => {
  inventory = inventoryOf(database);
  replicas = [await database.replica(), await database.replica()];
});

const textOf = (reply: Reply): string => String(serializeBody(reply));

const linesOf = async ({ queries }: Pick<Replica, 'queries'>, poRef: string) =>
  textOf(await queries.lineItems({ poRef }, contextOf(actors.buyer, PATTERNS.lineItems.type, { method: 'GET' })));
const reply = ({ service }: Replica, poRef: string, lines: LinePatch[]) =>
  service.updateLines({ poRef, patch: { lines } }, contextOf(actors.acme, PATTERNS.updateLines.type));
const take = ({ service }: Replica, poRef: string, action: Action) =>
  service.transition(
    { poRef, request: { action, comment: 'so' } },
    contextOf(action === 'APPROVE' ? actors.buyer : actors.acme, PATTERNS.transition.type),
  );
const shipment = ({ service }: Replica, poRef: string) =>
  service.updateHeader(
    { poRef, patch: { tracking_number: 'T-1' } },
    contextOf(actors.acme, PATTERNS.updateHeader.type),
  );

const lock = ({ databases: { internal, orders } }: Replica, poNumber: string) =>
  internal.transaction(null, (send) => orders.lock(send, poNumber, null));

/** The stored order, and the order as each process has cached it, with the lines that each shows. */
async function views(poNumber: string) {
  const fresh = await database.replica();
  const shown = async (replica: Replica) => ({
    order: await lock(replica, poNumber),
    lines: await linesOf(replica, poNumber),
  });
  const [stored, ...known] = await Promise.all([fresh, ...replicas].map(shown));
  await fresh.databases.close();
  return { stored, known };
}

test('two processes that cache an order see every change of each other and of the inventory system', async () => {
  const poNumber = 'R-1';
  await inventory.upsert(revision(poNumber));
  await views(poNumber);
  const rows = (await storedLines(database, poNumber)).map(({ rowHash }) => rowHash);
  const lines = (qty: number) => rows.map((rowHash) => ({ rowHash, vendorReplyQty: qty }));
  const [one, two] = replicas;
  const steps: (() => Promise<unknown>)[] = [
    () => reply(one, poNumber, lines(4)),
    () => reply(two, poNumber, lines(5).slice(0, 1)),
    () => reply(one, poNumber, lines(5).slice(0, 1)),
    () => take(one, poNumber, 'SUBMIT'),
    () => take(two, poNumber, 'APPROVE'),
    // An echo of the agreed values is not visible, but it changes the lines.
    () => inventory.upsert(withQty(poNumber, 2, 5)),
    () => shipment(two, poNumber),
    () => inventory.upsert(withQty(poNumber, 3, 7)),
    () => inventory.upsert(revision(poNumber, 4, { lines: revision(poNumber).lines.slice(1) })),
    () => reply(two, poNumber, lines(9).slice(1)),
    () => inventory.upsert(revision(poNumber, 5)),
    () => take(two, poNumber, 'SUBMIT'),
    () => inventory.cancel(poNumber, 6),
  ];
  for (const step of steps) {
    await step();
    const { stored, known } = await views(poNumber);
    expect(known).toEqual([stored, stored]);
  }
});

test('a cached order is not shown to another vendor', async () => {
  const poRef = 'R-2';
  await inventory.upsert(revision(poRef));
  const [one] = replicas;
  await linesOf(one, poRef);
  const query = contextOf(actors.bolt, PATTERNS.lineItems.type, { method: 'GET' });
  await expect(one.queries.lineItems({ poRef }, query)).rejects.toMatchObject({ code: 'PO_NOT_FOUND' });
  const patch = { lines: [{ rowHash: '0'.repeat(32), vendorReplyQty: 1 }] };
  const command = contextOf(actors.bolt, PATTERNS.updateLines.type);
  await expect(one.service.updateLines({ poRef, patch }, command)).rejects.toMatchObject({ code: 'PO_NOT_FOUND' });
});

test('a write that is rolled back leaves nothing in the cache', async () => {
  const poNumber = 'R-3';
  await inventory.upsert(revision(poNumber));
  const [one] = replicas;
  await linesOf(one, poNumber);
  await database.inspect(`ALTER TABLE history ADD CONSTRAINT none CHECK (po_number <> 'R-3') NOT VALID`);
  await expect(take(one, poNumber, 'SUBMIT')).rejects.toThrow('none');
  await database.inspect('ALTER TABLE history DROP CONSTRAINT none');
  const before = await views(poNumber);
  expect(before.known).toEqual([before.stored, before.stored]);
  await take(one, poNumber, 'SUBMIT');
  const after = await views(poNumber);
  expect(after.known).toEqual([after.stored, after.stored]);
  expect(after.stored?.order).toMatchObject({ statusId: 200, version: 2 });
});

test('a cached order is still used after the source repeats its message', async () => {
  const poNumber = 'R-4';
  await inventory.upsert(revision(poNumber));
  const [one] = replicas;
  for (const repetition of [2, 3, 4]) {
    await inventory.upsert(revision(poNumber, repetition));
    await linesOf(one, poNumber);
    const [loaded, again] = [await lock(one, poNumber), await lock(one, poNumber)];
    expect(loaded?.sourceRevision).toBe(repetition);
    // If they were read again, the lines would be other objects.
    expect(again?.lines).toBe(loaded?.lines);
  }
});

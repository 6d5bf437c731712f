import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { NO_DIFFERENCE } from '@po/testing/tolerances';
import { PATTERNS, type Tolerances, type TransitionResult } from '@po/contracts';
import { type Reply, serializeBody } from '@po/messaging';
import { actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { contextOf, exampleOrder, ordersDatabaseForTests, storeOrder } from '../fixtures/orders-database.js';
import { LOCKS } from '../store/locks.js';
import { lockPolicyInForce } from '../store/policy-in-force.js';
import { writesTo } from '../fixtures/writes.js';

const { acme, bolt, buyer, admin } = actors;

const database = ordersDatabaseForTests({ commentRequired: 'APPROVE' });

const { transition, patchHeader, traces } = writesTo(database);
const body = (reply: Reply) => JSON.parse(String(serializeBody(reply))) as TransitionResult;
const context = () => contextOf(admin, PATTERNS.putPolicy.type, { method: 'PUT' });
const put = (name: string, policy: Partial<Tolerances> = {}) =>
  database.policies.put({ name, policy: { ...NO_DIFFERENCE, ...policy } }, context());
const remove = (name: string) =>
  database.policies.delete({ name }, { ...context(), type: PATTERNS.deletePolicy.type }).catch(() => undefined);
beforeEach(async () => {
  for (const name of ['default', 'ACME', 'BOLT']) await remove(name);
});

const order = async (poNumber: string, vendorCode = 'ACME') => {
  await storeOrder(database, exampleOrder(poNumber, { vendorCode }));
  return poNumber;
};
const submitted = async (poNumber: string, vendorCode: 'ACME' | 'BOLT' = 'ACME') =>
  body(await transition(await order(poNumber, vendorCode), 'SUBMIT', vendorCode === 'ACME' ? acme : bolt));

interface Entry {
  id: string;
  action: string;
  po_version: number;
}
const entries = (poNumber: string) =>
  database.inspect<Entry>('SELECT * FROM history WHERE po_number = $1 ORDER BY sequence', [poNumber]);
const published = async (poNumber: string) => {
  const rows = await database.inspect<{ version: number; messages: { topic: string; value: string }[] }>(
    'SELECT version, messages FROM outbox WHERE key = $1 ORDER BY position',
    [poNumber],
  );
  return rows.map(({ version, messages }) => ({
    version,
    records: messages.map(({ value }) => JSON.parse(value) as Record<string, unknown>),
  }));
};

describe('a submission within the policy', () => {
  it('makes two changes: the SUBMIT of the vendor and the APPROVE of SYSTEM, each in history, state and events', async () => {
    const {
      headers: { etag },
    } = await put('default');
    const answer = await transition(await order('A-1'), 'SUBMIT', acme);
    const [imported, submit, approve, ...others] = await entries('A-1');
    expect(body(answer)).toEqual({
      success: true,
      newStatusId: 300,
      newStatus: 'Confirmed',
      newStatusZh: '已确认',
      message: 'Transition SUBMIT completed',
      version: 3,
      historyId: submit?.id,
      autoApproved: true,
    });
    expect([answer.headers, others]).toEqual([{ etag: '"3"' }, []]);
    expect(imported).toMatchObject({ action: 'IMPORT', sequence: 1, submission: null });
    expect(submit).toMatchObject({
      action: 'SUBMIT',
      sequence: 2,
      po_version: 2,
      from_status_id: 100,
      to_status_id: 200,
      actor_id: acme.sub,
      actor_role: 'VENDOR',
      submission: expect.objectContaining({ daysLater: 0 }),
    });
    expect(approve).toMatchObject({
      action: 'APPROVE',
      sequence: 3,
      po_version: 3,
      from_status_id: 200,
      to_status_id: 300,
      actor_id: null,
      actor_name: null,
      actor_role: 'SYSTEM',
      comment: `Approval policy default, version ${etag?.replaceAll('"', '')}`,
      submission: null,
    });
    const [row] = await database.inspect('SELECT * FROM purchase_orders WHERE po_number = $1', ['A-1']);
    expect(row).toMatchObject({ status_id: 300, version: 3, sequence: 3, agreed_factory: 'Ningbo 2' });
    const [, first, second] = await published('A-1');
    expect(first?.records).toMatchObject([
      { id: submit?.id, action: 'SUBMIT', autoApproved: true, poVersion: 2, sequence: 2 },
      { poVersion: 2, statusId: 200 },
    ]);
    expect(second?.records).toMatchObject([
      { id: approve?.id, action: 'APPROVE', agreed: { factory: 'Ningbo 2' }, poVersion: 3, sequence: 3 },
      { poVersion: 3, statusId: 300, recentActivity: [{ action: 'APPROVE' }, { action: 'SUBMIT' }] },
    ]);
    expect(second?.records[0]).not.toHaveProperty('autoApproved');
    expect(JSON.stringify([first, second])).not.toMatch(/maxDays|tolerance|daysLater/i);
    const activity = await database.activity.latestActivity(contextOf(acme, PATTERNS.latestActivity.type));
    expect(activity.body).toMatchObject([{ action: 'APPROVE' }, { action: 'SUBMIT' }]);
  });

  it('also publishes the submitted changes with the APPROVE, the only one that recipients are notified of', async () => {
    await put('default', { allowFactoryChange: true });
    await order('A-8');
    await patchHeader('A-8', { vendor_reply_factory: 'Dhaka 1' }, acme);
    expect(body(await transition('A-8', 'SUBMIT', acme))).toMatchObject({ autoApproved: true });
    const [submit, approve] = (await published('A-8')).slice(-2).map(({ records }) => records[0]);
    const changes = { header: [{ field: 'factory', from: 'Ningbo 2', to: 'Dhaka 1' }], lines: [] };
    expect([submit, approve]).toMatchObject([
      { action: 'SUBMIT', changes },
      { action: 'APPROVE', changes: null, submittedChanges: changes },
    ]);
    expect(submit).not.toHaveProperty('submittedChanges');
  });

  it('can be recalled, submitted again and approved by a buyer like any other', async () => {
    await put('default');
    await submitted('A-2');
    await transition('A-2', 'RECALL', acme);
    await patchHeader('A-2', { vendor_reply_factory: 'Dhaka 1' }, acme);
    expect(body(await transition('A-2', 'SUBMIT', acme))).toMatchObject({ newStatusId: 200, version: 6 });
    const approve = { poRef: 'A-2', request: { action: 'APPROVE' as const, comment: 'fine' } };
    await database.service.transition(approve, contextOf(buyer, PATTERNS.transition.type));
    expect((await entries('A-2')).at(-1)).toMatchObject({ action: 'APPROVE', actor_role: 'BUYER', comment: 'fine' });
  });

  it('is replayed for its idempotency key even after the policy was deleted, and nothing is done twice', async () => {
    await put('default');
    const key = () => ({ idempotencyKey, idempotencyOrigin: 'client' as const });
    const idempotencyKey = randomUUID();
    const first = await transition(await order('A-3'), 'SUBMIT', acme, key());
    const before = await traces('A-3');
    await remove('default');
    const again = await transition('A-3', 'SUBMIT', acme, key());
    expect(again).toEqual({ ...first, headers: { ...first.headers, 'idempotency-replayed': 'true' } });
    expect(body(again)).toMatchObject({ newStatusId: 300, version: 3, autoApproved: true });
    expect(await traces('A-3')).toEqual(before);
  });

  it('is counted as an automatic approval of its vendor', async () => {
    const counts = async (actor: typeof acme | typeof buyer | typeof bolt) =>
      (await database.activity.approvals(contextOf(actor, PATTERNS.approvals.type))).body as {
        days: number;
        approved: number;
        automatic: number;
      };
    const [all, own] = [await counts(buyer), await counts(bolt)];
    await put('BOLT');
    await submitted('A-5', 'BOLT');
    await put('BOLT', { enabled: false });
    await submitted('A-6', 'BOLT');
    const approve = { poRef: 'A-6', request: { action: 'APPROVE' as const, comment: 'fine' } };
    await database.service.transition(approve, contextOf(buyer, PATTERNS.transition.type));
    await submitted('A-7');
    expect(await counts(bolt)).toEqual({ days: 30, approved: own.approved + 2, automatic: own.automatic + 1 });
    expect(await counts(buyer)).toEqual({ days: 30, approved: all.approved + 2, automatic: all.automatic + 1 });
  });
});

describe('the policy for a submission', () => {
  const isApproved = async (poNumber: string) => (await submitted(poNumber)).autoApproved;

  it('does not exist at first, so the order waits for a buyer', async () => {
    expect(await submitted('B-1')).toMatchObject({ newStatusId: 200, version: 2, autoApproved: false });
    const [, ofSubmit] = await published('B-1');
    expect(ofSubmit?.records[0]).not.toHaveProperty('autoApproved');
  });

  it("is only the vendor's own one, even if disabled; the default applies after its deletion", async () => {
    await put('default');
    expect(await isApproved('B-2')).toBe(true);
    await put('ACME', { enabled: false });
    expect(await isApproved('B-3')).toBe(false);
    await put('ACME', { maxAmount: [{ currency: 'EUR', amount: 1e9 }] });
    expect(await isApproved('B-4')).toBe(false);
    await remove('ACME');
    expect(await isApproved('B-5')).toBe(true);
    await put('default', { enabled: false });
    await put('ACME');
    await put('BOLT', { enabled: false });
    expect(await isApproved('B-6')).toBe(true);
    expect((await entries('B-6')).at(-1)).toMatchObject({
      comment: expect.stringMatching(/^Approval policy ACME, version \d+$/),
    });
  });

  it('is the one from before or after a policy change, which waits for submissions in progress', async () => {
    await put('default');
    await order('B-9');
    const { databases } = database;
    const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = databases.vendor.transaction({ setting: 'app.vendor', value: 'ACME' }, async (send) => {
      await lockPolicyInForce(send, 'ACME');
      held.resolve();
      await release.promise;
    });
    await held.promise;
    let changed = false;
    const change = put('default', { enabled: false }).then(() => (changed = true));
    const waiting = () =>
      database.inspect(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = ${LOCKS.policies} AND NOT granted
                           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
    await eventually('the change waits', async () => (await waiting()).length === 1);
    const submission = transition('B-9', 'SUBMIT', acme);
    await eventually('the submission waits behind it', async () => (await waiting()).length === 2);
    expect(changed).toBe(false);
    release.resolve();
    await Promise.all([holding, change]);
    expect(body(await submission)).toMatchObject({ autoApproved: false, version: 2 });
  });
});

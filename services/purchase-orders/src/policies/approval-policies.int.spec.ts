import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { NO_DIFFERENCE } from '@po/testing/tolerances';
import { type Actor, PATTERNS, type Tolerances } from '@po/contracts';
import { type Reply, type RpcContext, serializeBody } from '@po/messaging';
import { actors } from '@po/testing/actors';
import { contextOf, exampleOrder, ordersDatabaseForTests, storeOrder } from '../fixtures/orders-database.js';
import { writesTo } from '../fixtures/writes.js';

const { acme, bolt, buyer, admin, viewer } = actors;

const database = ordersDatabaseForTests();

const { transition, patchHeader } = writesTo(database);
const body = (reply: Reply): unknown => JSON.parse(String(serializeBody(reply)));
const put = (name: string, policy: Partial<Tolerances> = {}, more: Partial<RpcContext> = {}, actor: Actor = admin) =>
  database.policies.put(
    { name, policy: { ...NO_DIFFERENCE, ...policy } },
    contextOf(actor, PATTERNS.putPolicy.type, { method: 'PUT', path: `/api/approval-policies/${name}`, ...more }),
  );
const remove = (name: string, more: Partial<RpcContext> = {}, actor: Actor = admin) =>
  database.policies.delete({ name }, contextOf(actor, PATTERNS.deletePolicy.type, { method: 'DELETE', ...more }));
const list = async (actor: Actor = viewer) =>
  body(await database.policyQueries.list(contextOf(actor, PATTERNS.policies.type))) as { vendorCode: string }[];
const history = async (name: string, actor: Actor = viewer) =>
  body(await database.policyQueries.history({ name }, contextOf(actor, PATTERNS.policyHistory.type))) as object[];
const preview = (name: string, policy: Partial<Tolerances>, actor: Actor = admin) =>
  database.policyQueries.preview(
    { name, policy: { ...NO_DIFFERENCE, ...policy } },
    contextOf(actor, PATTERNS.previewPolicy.type),
  );
const rows = () => database.inspect('SELECT * FROM approval_policies ORDER BY vendor_code, version');

describe('an approval policy', () => {
  it('is created, replaced and deleted by an administrator, and its version numbers continue', async () => {
    const author = { userId: admin.sub, name: admin.name };
    const first = await put('VENDOR-1', { maxDaysLater: 7 });
    expect(first).toMatchObject({ status: 201, headers: { etag: '"1"', location: '/api/approval-policies/VENDOR-1' } });
    expect(body(first)).toEqual({
      vendorCode: 'VENDOR-1',
      ...NO_DIFFERENCE,
      maxDaysLater: 7,
      version: 1,
      updatedBy: author,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const second = await put('VENDOR-1', { enabled: false }, { ifMatch: '"1"' });
    expect([second.status, second.headers]).toEqual([200, { etag: '"2"' }]);
    expect(await remove('VENDOR-1', { ifMatch: '"2"' })).toMatchObject({ status: 204, headers: {} });
    expect((await list()).map(({ vendorCode }) => vendorCode)).not.toContain('VENDOR-1');
    expect(await put('VENDOR-1')).toMatchObject({ status: 201, headers: { etag: '"4"' } });
    const changed = { changedBy: author, changedAt: expect.any(String) };
    expect(await history('VENDOR-1')).toEqual([
      { version: 4, policy: { vendorCode: 'VENDOR-1', ...NO_DIFFERENCE }, ...changed },
      { version: 3, policy: null, ...changed },
      { version: 2, policy: { vendorCode: 'VENDOR-1', ...NO_DIFFERENCE, enabled: false }, ...changed },
      { version: 1, policy: { vendorCode: 'VENDOR-1', ...NO_DIFFERENCE, maxDaysLater: 7 }, ...changed },
    ]);
  });

  it('is listed with the default first and the vendors by code', async () => {
    for (const name of ['b', 'default', 'B', 'A']) await put(name);
    const codes = (await list()).map(({ vendorCode }) => vendorCode);
    expect(codes.filter((code) => code === null || code.length === 1)).toEqual([null, 'A', 'B', 'b']);
    for (const actor of [buyer, admin]) expect(await list(actor)).toHaveLength(codes.length);
  });

  it('refuses a write with an outdated version, or an If-Match for a missing policy, and changes nothing', async () => {
    await put('VENDOR-2');
    const before = await rows();
    const stale = { code: 'VERSION_MISMATCH', members: { currentVersion: 1 } };
    await expect(put('VENDOR-2', {}, { ifMatch: '"2"' })).rejects.toMatchObject(stale);
    await expect(remove('VENDOR-2', { ifMatch: '"7"' })).rejects.toMatchObject(stale);
    for (const ifMatch of ['"1"', '*']) {
      await expect(put('VENDOR-3', {}, { ifMatch })).rejects.toMatchObject({ members: { currentVersion: 0 } });
    }
    await expect(remove('VENDOR-3')).rejects.toMatchObject({ code: 'POLICY_NOT_FOUND' });
    await expect(history('VENDOR-3')).rejects.toMatchObject({ code: 'POLICY_NOT_FOUND' });
    expect(await rows()).toEqual(before);
  });

  it('can be deleted only once', async () => {
    await put('VENDOR-4');
    await remove('VENDOR-4');
    await expect(remove('VENDOR-4')).rejects.toMatchObject({ code: 'POLICY_NOT_FOUND' });
    expect(await history('VENDOR-4')).toHaveLength(2);
  });

  it('is changed by only one of several writes for the same version', async () => {
    await put('VENDOR-5');
    const days = [1, 2, 3, 4, 5];
    const outcomes = await Promise.allSettled(
      days.map((maxDaysLater) => put('VENDOR-5', { maxDaysLater }, { ifMatch: '"1"' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await history('VENDOR-5')).toHaveLength(2);
    await Promise.all(days.map((maxDaysLater) => put('VENDOR-5', { maxDaysLater })));
    expect((await history('VENDOR-5')).map((change) => (change as { version: number }).version)).toEqual([
      7, 6, 5, 4, 3, 2, 1,
    ]);
  });

  it('is changed once by a command that is delivered twice, or repeated with its idempotency key', async () => {
    const commandId = randomUUID();
    const first = await put('VENDOR-6', {}, { commandId });
    expect(await put('VENDOR-6', {}, { commandId })).toMatchObject({ status: 201, headers: first.headers });
    const key = { idempotencyKey: randomUUID(), idempotencyOrigin: 'client' } as const;
    await remove('VENDOR-6', key);
    expect(await remove('VENDOR-6', key)).toMatchObject({ status: 204, headers: { 'idempotency-replayed': 'true' } });
    expect(await history('VENDOR-6')).toHaveLength(2);
  });

  it('is changed only by administrators, and its existence is hidden from vendors', async () => {
    await put('ACME');
    const before = await rows();
    const refused = { code: 'ROLE_NOT_ALLOWED', members: {} };
    const names = ['ACME', 'default', 'VENDOR-7'];
    for (const actor of [acme, bolt, buyer, viewer]) {
      for (const name of names) {
        await expect(put(name, {}, { ifMatch: '"9"' }, actor)).rejects.toMatchObject(refused);
        await expect(remove(name, {}, actor)).rejects.toMatchObject(refused);
        await expect(preview(name, {}, actor)).rejects.toMatchObject(refused);
      }
    }
    for (const actor of [acme, bolt]) {
      for (const name of names) await expect(history(name, actor)).rejects.toMatchObject(refused);
      await expect(list(actor)).rejects.toMatchObject(refused);
    }
    expect(await rows()).toEqual(before);
  });
});

describe('a preview', () => {
  const later = async (
    poNumber: string,
    vendorCode: 'ACME' | 'BOLT',
    date: string,
    ...then: ('RECALL' | 'REJECT')[]
  ) => {
    const vendor = vendorCode === 'ACME' ? acme : bolt;
    await storeOrder(database, exampleOrder(poNumber, { vendorCode }));
    await patchHeader(poNumber, { vendor_reply_xfd: date }, vendor);
    await transition(poNumber, 'SUBMIT', vendor);
    for (const action of then) await transition(poNumber, action, action === 'REJECT' ? buyer : vendor);
  };

  it('counts the submissions that a policy would have approved, and those of them that were recalled or rejected', async () => {
    for (const name of ['default', 'ACME', 'BOLT']) await remove(name).catch(() => undefined);
    await later('P-1', 'ACME', '2099-01-16');
    await later('P-2', 'ACME', '2099-01-20', 'REJECT');
    await transition('P-2', 'SUBMIT', acme);
    await later('P-3', 'ACME', '2099-01-25', 'RECALL');
    await later('P-4', 'BOLT', '2099-01-16', 'RECALL');
    const counts = async (name: string, maxDaysLater: number) => body(await preview(name, { maxDaysLater }));
    expect(await counts('ACME', 5)).toEqual({ submissions: 4, approved: 3, recalled: 1 });
    expect(await counts('ACME', 10)).toEqual({ submissions: 4, approved: 4, recalled: 2 });
    expect(await counts('ACME', 4)).toEqual({ submissions: 4, approved: 1, recalled: 0 });
    expect(await counts('default', 5)).toEqual({ submissions: 5, approved: 4, recalled: 2 });
    // A vendor's disabled policy also replaces the default.
    await put('ACME', { enabled: false });
    expect(await counts('default', 5)).toEqual({ submissions: 1, approved: 1, recalled: 1 });
    await remove('ACME');
    expect(await counts('default', 5)).toMatchObject({ submissions: 5 });
    expect(await counts('VENDOR-8', 5)).toEqual({ submissions: 0, approved: 0, recalled: 0 });
  });
});

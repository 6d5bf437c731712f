import { randomUUID } from 'node:crypto';
import { type Actor, MAX_VIEWS, type View, type ViewRequest } from '@po/contracts';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { inboxForTests, userSeen, writeContext } from '../fixtures/inbox.js';

const LATE: ViewRequest = { name: 'Late', query: { overdue: 'true', page: '2' }, columns: ['poNumber'], shared: false };
const SHARED: ViewRequest = { ...LATE, shared: true };
const codeOf = ({ code }: { code: unknown }) => code;
const repeated = <R extends { headers: object }>(reply: R) => ({
  ...reply,
  headers: { ...reply.headers, 'idempotency-replayed': 'true' },
});
const NOT_FOUND = { code: 'VIEW_NOT_FOUND' };
const NOT_ALLOWED = { code: 'ROLE_NOT_ALLOWED' };

describe('views', () => {
  const inbox = inboxForTests();
  let vendor: Actor;
  let colleague: Actor;
  let buyer: Actor;
  let admin: Actor;
  beforeEach(() => {
    vendor = { ...actors.acme, sub: randomUUID(), vendorCode: randomUUID() };
    colleague = { ...vendor, sub: randomUUID() };
    buyer = { ...actors.buyer, sub: randomUUID() };
    admin = { ...actors.admin, sub: randomUUID() };
  });

  const create = async (actor: Actor, request: ViewRequest = LATE, fields: object = {}) =>
    inbox.views.create(request, writeContext(actor, fields));
  const made = async (actor: Actor, request: ViewRequest = LATE, fields: object = {}) =>
    (await create(actor, request, fields)).body as View;
  const replace = async (actor: Actor, id: string, view: ViewRequest, fields: object = {}) =>
    inbox.views.replace({ id, view }, writeContext(actor, { method: 'PUT', path: `/api/views/${id}`, ...fields }));
  const remove = async (actor: Actor, id: string, fields: object = {}) =>
    inbox.views.delete({ id }, writeContext(actor, { method: 'DELETE', path: `/api/views/${id}`, ...fields }));
  const list = async (actor: Actor) => (await inbox.views.list(actor)).body as View[];
  /** Ids of the given views in the list, which may contain shared views of other tests. */
  const idsOf = async (actor: Actor, ...those: View[]) =>
    (await list(actor)).map(({ id }) => id).filter((id) => those.some((view) => view.id === id));

  it('are stored as sent, and answered with their owner, version and location', async () => {
    const { status, headers, body } = await create(vendor, SHARED);
    const { id, updatedAt, ...rest } = body as View;
    expect([status, headers]).toEqual([201, { location: `/api/views/${id}`, etag: '"1"' }]);
    expect(rest).toEqual({ ...SHARED, ownerId: vendor.sub, ownerName: vendor.name, mine: true, version: 1 });
    expect(await list(vendor)).toEqual([{ ...rest, id, updatedAt }]);
    expect(await list(colleague)).toEqual([{ ...rest, id, updatedAt, mine: false }]);
  });

  it('are listed by name, regardless of their owner', async () => {
    await made(vendor, { ...LATE, name: 'b' });
    await made(colleague, { ...SHARED, name: 'C' });
    await made(vendor, { ...SHARED, name: 'A' });
    expect((await list(vendor)).map(({ name }) => name)).toEqual(['A', 'b', 'C']);
    expect((await list(colleague)).map(({ name }) => name)).toEqual(['A', 'C']);
  });

  it('of a vendor are invisible to other sides, and those of internal roles to vendors', async () => {
    const other: Actor = { ...vendor, sub: randomUUID(), vendorCode: randomUUID() };
    const viewer: Actor = { ...buyer, sub: randomUUID(), role: 'VIEWER' };
    const vendors = await made(vendor, SHARED);
    const [internal, own] = [await made(buyer, SHARED), await made(buyer)];
    const seenBy = (actor: Actor) => idsOf(actor, vendors, internal, own);
    expect(await seenBy(buyer)).toEqual(expect.arrayContaining([internal.id, own.id]));
    expect([await seenBy(admin), await seenBy(viewer)]).toEqual([[internal.id], [internal.id]]);
    expect([await seenBy(vendor), await seenBy(other)]).toEqual([[vendors.id], []]);
    for (const stranger of [other, buyer, admin]) {
      await expect(replace(stranger, vendors.id, LATE)).rejects.toMatchObject(NOT_FOUND);
      await expect(remove(stranger, vendors.id)).rejects.toMatchObject(NOT_FOUND);
    }
    await expect(remove(vendor, internal.id)).rejects.toMatchObject(NOT_FOUND);
    expect(await list(vendor)).toEqual([vendors]);
  });

  it('that are shared can be changed only by their owner and, among internal roles, an ADMIN: 403, nothing changed', async () => {
    const view = await made(buyer, SHARED);
    const viewer: Actor = { ...buyer, sub: randomUUID(), role: 'VIEWER' };
    for (const actor of [viewer, { ...viewer, role: 'BUYER' } as Actor]) {
      await expect(replace(actor, view.id, LATE)).rejects.toMatchObject(NOT_ALLOWED);
      await expect(remove(actor, view.id)).rejects.toMatchObject(NOT_ALLOWED);
    }
    const mine = await made(vendor, SHARED);
    await expect(remove(colleague, mine.id)).rejects.toMatchObject(NOT_ALLOWED);
    expect(await list(vendor)).toEqual([mine]);
    const { status, body } = await replace(admin, view.id, { ...SHARED, name: 'Later' });
    const after = { name: 'Later', version: 2, ownerId: buyer.sub, ownerName: buyer.name, mine: false };
    expect([status, body]).toEqual([200, expect.objectContaining(after)]);
    expect((await remove(admin, view.id)).status).toBe(204);
    expect(await idsOf(buyer, view)).toEqual([]);
  });

  it('that an ADMIN makes private are visible only to their owner, even if the command is redelivered', async () => {
    const view = await made(buyer, SHARED);
    const again = () => replace(admin, view.id, LATE, { commandId: view.id });
    expect(await again()).toEqual(await again());
    expect([await idsOf(buyer, view), await idsOf(admin, view)]).toEqual([[view.id], []]);
    await expect(replace(admin, view.id, SHARED)).rejects.toMatchObject(NOT_FOUND);
  });

  it('are replaced and deleted in the version of If-Match, once per command', async () => {
    const { id } = await made(vendor);
    const stale = { code: 'VERSION_MISMATCH', members: { currentVersion: 1 }, options: { headers: { etag: '"1"' } } };
    await expect(replace(vendor, id, SHARED, { ifMatch: '"2"' })).rejects.toMatchObject(stale);
    expect(await list(vendor)).toMatchObject([{ ...LATE, version: 1 }]);
    const again = () => replace(vendor, id, SHARED, { ifMatch: '"1"', commandId: id });
    expect(await again()).toEqual(await again());
    expect(await list(vendor)).toMatchObject([{ ...SHARED, version: 2 }]);
    const writes = ['a', 'b'].map((name) => replace(vendor, id, { ...LATE, name }, { ifMatch: '"2"' }));
    const outcomes = (await Promise.allSettled(writes)).map(({ status }) => status).toSorted();
    expect(outcomes).toEqual(['fulfilled', 'rejected']);
    expect(await list(vendor)).toMatchObject([{ version: 3 }]);
    const older = { ...stale, members: { currentVersion: 3 }, options: { headers: { etag: '"3"' } } };
    await expect(remove(vendor, id, { ifMatch: '"2"' })).rejects.toMatchObject(older);
    const deleteAgain = () => remove(vendor, id, { ifMatch: '"3"', commandId: `${id} deleted` });
    expect(await deleteAgain()).toEqual(await deleteAgain());
    expect(await list(vendor)).toEqual([]);
  });

  it('are replaced and deleted once per key, whatever was written since', async () => {
    const { id } = await made(vendor);
    const key = { idempotencyKey: 'key-3', ifMatch: '"1"' };
    const first = await replace(vendor, id, SHARED, key);
    await replace(vendor, id, LATE);
    expect(await replace(vendor, id, SHARED, key)).toEqual(repeated(first));
    await expect(replace(vendor, id, LATE, key)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await list(vendor)).toMatchObject([{ ...LATE, version: 3 }]);
    const deletion = { idempotencyKey: 'key-3', ifMatch: '"3"' };
    const deleted = await remove(vendor, id, deletion);
    expect(await remove(vendor, id, deletion)).toEqual(repeated(deleted));
  });

  it('are not found for an unknown id or after their deletion', async () => {
    const { id } = await made(vendor);
    expect((await remove(vendor, id)).status).toBe(204);
    for (const missing of [id, randomUUID(), '%']) {
      await expect(remove(vendor, missing)).rejects.toMatchObject(NOT_FOUND);
      await expect(replace(vendor, missing, LATE)).rejects.toMatchObject(NOT_FOUND);
    }
    expect(await list(vendor)).toEqual([]);
  });

  it('are stored once for a redelivered command, even concurrently', async () => {
    const deliver = () => create(vendor, LATE, { commandId: 'command-1' });
    const [first, second] = await Promise.all([deliver(), deliver()]);
    expect([second, await deliver()]).toEqual([first, first]);
    expect(await list(vendor)).toEqual([first?.body]);
  });

  it('are stored once per key and user, even after a deletion, and the key is refused for another body', async () => {
    const key = { idempotencyKey: 'key-1' };
    const first = await create(vendor, LATE, key);
    expect(await create(vendor, LATE, key)).toEqual(repeated(first));
    await expect(create(vendor, SHARED, key)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await list(vendor)).toEqual([first.body]);
    for (const other of [colleague, { ...vendor, vendorCode: randomUUID() }])
      expect((await made(other, SHARED, key)).mine).toBe(true);
    await remove(vendor, (first.body as View).id);
    expect(await create(vendor, LATE, key)).toEqual(repeated(first));
  });

  it('can use the same key again in another role and after 24 hours, whether or not the view still exists', async () => {
    const key = { idempotencyKey: 'key-4' };
    await made(buyer, LATE, key);
    const first = await made({ ...buyer, role: 'VIEWER' }, SHARED, key);
    const second = await made({ ...buyer, role: 'ADMIN' }, SHARED, key);
    expect((await idsOf(buyer, first, second)).length).toBe(2);
    await remove(buyer, first.id);
    const age = `UPDATE view_commands SET created_at = created_at - interval '25 hours' WHERE user_id = $1`;
    await inbox.inspect(age, [buyer.sub]);
    for (const role of ['BUYER', 'VIEWER'] as const) {
      const { status, headers } = await create({ ...buyer, role }, SHARED, key);
      expect([status, headers['idempotency-replayed']]).toEqual([201, undefined]);
    }
    expect((await create(buyer, SHARED, key)).headers['idempotency-replayed']).toBe('true');
  });

  it('are limited to 50 per user, even with concurrent requests', async () => {
    // Few concurrent requests: they wait for one lock, and the wait must not be too long.
    for (let count = 4; count < MAX_VIEWS; count += 1) await create(vendor);
    const requests = Array.from({ length: 10 }, () => create(vendor));
    const refused = (await Promise.allSettled(requests)).filter(({ status }) => status === 'rejected');
    const refusal = { code: 'TOO_MANY_VIEWS', options: { hidden: { limit: MAX_VIEWS } } };
    expect(refused).toMatchObject(Array.from({ length: 6 }, () => ({ reason: refusal })));
    const [view] = await list(vendor);
    expect((await made(colleague)).mine).toBe(true);
    await remove(vendor, view?.id ?? '');
    await made(vendor);
    await expect(create(vendor)).rejects.toMatchObject(refusal);
    expect((await list(vendor)).length).toBe(MAX_VIEWS);
  });

  describe('of a deleted user', () => {
    beforeEach(async () => {
      for (const actor of [vendor, colleague]) await inbox.see(userSeen(actor));
    });

    it('are deleted, whether private or shared, without the views of other users', async () => {
      await made(vendor, SHARED);
      await made(vendor);
      const others = await made(colleague, SHARED);
      await inbox.remove(vendor.sub);
      expect(await list(colleague)).toEqual([others]);
      await inbox.see(userSeen(vendor, { seenAt: new Date(Date.now() + 60_000).toISOString() }));
      expect(await list(vendor)).toEqual([{ ...others, mine: false }]);
      const later = await made(vendor);
      expect(await idsOf(vendor, later)).toEqual([later.id]);
      const answers = await inbox.inspect('SELECT 1 FROM view_commands WHERE user_id = $1', [vendor.sub]);
      expect(answers).toHaveLength(1);
    });

    it("are stored for a returning user even if the user's announcement arrives later", async () => {
      await inbox.remove(vendor.sub);
      // A busy machine may take longer than the wait: its clock stands still until the announcement.
      const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
      const view = made(vendor);
      const seenAt = new Date(Date.now() + 60_000).toISOString();
      await inbox.see(userSeen(vendor, { seenAt })).finally(() => clock.mockRestore());
      const mine = await view;
      expect(await list(vendor)).toEqual([mine]);
    });

    it('are not stored: 503 at the deadline, and nothing remains', async () => {
      const requests = Array.from({ length: 20 }, () => create(vendor, SHARED, { deadline: 0 }));
      const answers = requests.map((request) => request.then(({ status }) => status, codeOf));
      await inbox.remove(vendor.sub);
      const others = (await Promise.all(answers)).filter((answer) => answer !== 201 && answer !== 'UNAVAILABLE');
      expect(others).toEqual([]);
      await expect(create(vendor, LATE, { deadline: 0 })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect([await list(vendor), await list(colleague)]).toEqual([[], []]);
    });

    it('are deleted during a directory rebuild if they are older than the deletion', async () => {
      const view = await made(vendor, SHARED);
      const at = (ms: number) => new Date(Date.now() + ms).toISOString();
      await inbox.seeDeleted({ sub: vendor.sub, deletedAt: at(-60_000) });
      expect(await list(colleague)).toEqual([{ ...view, mine: false }]);
      // A later change by an ADMIN or the owner does not make the view newer.
      await inbox.seeDeleted({ sub: vendor.sub, deletedAt: at(60_000) });
      expect(await list(colleague)).toEqual([]);
    });
  });

  it('are kept for a user who has been away for a long time', async () => {
    await inbox.see(userSeen(vendor, { seenAt: '2020-01-01T00:00:00.000Z' }));
    const view = await made(vendor);
    expect(await list(vendor)).toEqual([view]);
  });

  it('are protected by row-level security against other readers and forged owners', async () => {
    const [own, shared] = [await made(vendor), await made(vendor, SHARED)];
    const within = async (actor: Actor, side: string, text: string) =>
      inbox.databases.user.transaction({ setting: 'app.user', value: actor.sub }, (send) => {
        void send(`SELECT set_config('app.side', $1, true), set_config('app.role', $2, true)`, [side, actor.role]);
        return send<{ id: string }>(text);
      });
    const side = `VENDOR:${vendor.vendorCode}`;
    const ids = async (actor: Actor, of: string, text = 'SELECT id FROM views') =>
      (await within(actor, of, text)).map(({ id }) => id).filter((id) => [own.id, shared.id].includes(id));
    expect((await ids(vendor, side)).length).toBe(2);
    expect([await ids(colleague, side), await ids(admin, 'INTERNAL'), await ids(vendor, '')]).toEqual([
      [shared.id],
      [],
      [],
    ]);
    const forged = `INSERT INTO views SELECT 'forged', side, owner_id, owner_name, name, query, columns, shared, version, NULL, NULL,
                      created_at, updated_at FROM views WHERE id = '${shared.id}'`;
    await expect(within(colleague, side, forged)).rejects.toThrow('row-level security');
    const answers = (actor: Actor) => within(actor, side, 'SELECT command_id AS id FROM view_commands');
    expect([(await answers(vendor)).length, await answers(colleague)]).toEqual([2, []]);
    expect((await list(vendor)).length).toBe(2);
  });
});

import { describe, expect, it } from '@jest/globals';
import { footprint, linesOf, openWorld } from './world.js';

describe('a repeated write', () => {
  const world = openWorld();

  it('is replayed under its key, and another body under this key is refused', async () => {
    const { poNumber } = await world.importOrder();
    const headers = { 'idempotency-key': `key-${poNumber}` };
    const submit = (body: unknown) =>
      world.as('vendor:ACME').post<{ code: string }>(`/purchase-orders/${poNumber}/transition`, body, headers);
    const first = await submit({ action: 'SUBMIT', comment: 'once' });
    const second = await submit({ comment: 'once', action: 'SUBMIT' });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const other = await submit({ action: 'SUBMIT', comment: 'twice' });
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await footprint(world.as('buyer'), poNumber)) as { history: unknown[] }).toMatchObject({
      history: [{}, {}],
    });
  });

  it('succeeds exactly once if ten requests of a vendor race', async () => {
    const { poNumber } = await world.importOrder();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        world.as('vendor:ACME').post<{ code: string }>(`/purchase-orders/${poNumber}/transition`, { action: 'SUBMIT' }),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect((await footprint(world.as('buyer'), poNumber)) as { history: unknown[] }).toMatchObject({
      history: [{}, {}],
    });
  });

  it('changes nothing and returns the same version if a patch contains the stored values', async () => {
    const { poNumber: poRef } = await world.importOrder();
    const [navy] = await linesOf(world.as('vendor:ACME'), poRef);
    const before = await footprint(world.as('admin'), poRef);
    const answer = await world.as('vendor:ACME').patch(`/purchase-orders/${poRef}/line-items`, {
      lines: [{ rowHash: navy?.sizes.M?.rowHash, vendorReplyQty: null }],
    });
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"1"']);
    expect(await footprint(world.as('admin'), poRef)).toEqual(before);
  });
});

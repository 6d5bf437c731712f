import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PurchaseOrderDiff } from '@po/contracts';
import { eventually } from '@po/testing/eventually';
import { type Snapshot, type World, act, detailOf, linesOf, openWorld } from './world.js';

describe('the diff over an order’s life', () => {
  let world: World;
  let order: Snapshot;
  let poRef: string;
  beforeAll(async () => {
    world = openWorld();
    order = await world.importOrder();
    poRef = order.poNumber;
  });

  const vendor = () => world.as('vendor:ACME');
  const buyer = () => world.as('buyer');
  const path = () => `/purchase-orders/${poRef}/diff`;

  /** The same for both sides, at the version and with the totals of the order. */
  async function diff(): Promise<PurchaseOrderDiff> {
    const { status, headers, body } = await vendor().get<PurchaseOrderDiff>(path());
    const detail = await detailOf(buyer(), poRef);
    const { originalTotalQty: originalQty, totalQty: qty, originalAmount, amount } = detail;
    expect([status, headers.get('etag'), body.version]).toEqual([200, `"${detail.version}"`, detail.version]);
    expect(body.totals).toMatchObject({ originalQty, qty, originalAmount, amount });
    expect((await buyer().get(path())).body).toEqual(body);
    return body;
  }
  /** Rows as `color-size field original/reply/agreed/current`. */
  const told = ({ lines }: PurchaseOrderDiff) =>
    lines.map(({ color, size, field, original, reply, agreed, current }) =>
      [`${color}-${size}`, field, [original, reply, agreed, current].map(String).join('/')].join(' '),
    );
  const send = async (revision: Snapshot) => {
    await world.send('purchase-order.upserted', revision);
    await eventually(`revision ${revision.sourceRevision} is stored`, async () => {
      return (await detailOf(buyer(), poRef)).sourceRevision === revision.sourceRevision;
    });
  };

  it('is empty for what was imported', async () => {
    expect(await diff()).toMatchObject({
      poRef,
      header: [],
      lines: [],
      totals: { agreedQty: null, agreedAmount: null },
    });
  });

  it('has what the vendor proposes, and is 304 for who has it', async () => {
    const known = (await vendor().get(path())).headers.get('etag') ?? '';
    const again = () => vendor().get(path(), undefined, { 'if-none-match': known });
    expect([(await again()).status, (await again()).text]).toEqual([304, '']);
    const [navy] = await linesOf(vendor(), poRef);
    await vendor().patch(`/purchase-orders/${poRef}`, { vendor_reply_xfd: '2027-03-15' });
    await vendor().patch(`/purchase-orders/${poRef}/line-items`, {
      lines: [{ rowHash: navy?.sizes.M?.rowHash, vendorReplyQty: 15 }],
    });
    expect((await again()).status).toBe(200);
    const proposed = await diff();
    expect(proposed.header).toEqual([
      { field: 'xfDate', original: '2027-03-01', reply: '2027-03-15', agreed: null, current: '2027-03-15' },
    ]);
    expect(told(proposed)).toEqual(['NVY-M qty 20/15/null/15']);
    expect(proposed.lines[0]).toMatchObject({ rowHash: navy?.sizes.M?.rowHash, code: 'TS-100-NVY', style: 'TS-100' });
  });

  it('has what was agreed, and its totals are the agreed ones', async () => {
    await act(vendor(), poRef, 'SUBMIT');
    await act(buyer(), poRef, 'APPROVE');
    const { totals, header, ...agreed } = await diff();
    expect(header).toMatchObject([{ agreed: '2027-03-15', current: '2027-03-15' }]);
    expect(told({ totals, header, ...agreed })).toEqual(['NVY-M qty 20/15/15/15']);
    expect([totals.agreedQty, totals.agreedAmount]).toEqual([totals.qty, totals.amount]);
  });

  it('compares what the source changes afterwards with what was agreed: values, a row that goes, a row that comes', async () => {
    const [small, medium, , red] = order.lines;
    const lines = [small!, { ...medium!, qty: 18, unitPrice: 13 }, red!, { ...red!, lineId: '5', size: 'L' }];
    await send({ ...order, sourceRevision: 2, lines });
    const changed = await diff();
    expect(changed.header).toMatchObject([{ field: 'xfDate', agreed: '2027-03-15', current: '2027-03-15' }]);
    expect(told(changed)).toEqual([
      'NVY-M qty 18/null/15/18',
      'NVY-M unitPrice 13/null/12.5/13',
      'NVY-L qty 30/null/30/0',
    ]);
    expect(changed.totals).toMatchObject({ agreedQty: 60, qty: 38 });
    const [, reds] = await linesOf(vendor(), poRef);
    await vendor().patch(`/purchase-orders/${poRef}/line-items`, {
      lines: [{ rowHash: reds?.sizes.L?.rowHash, vendorReplyQty: 4 }],
    });
    expect(told(await diff())).toContain('RED-L qty 5/4/null/4');
  });

  it('says so in production, too, where the source changes neither replies nor what was agreed', async () => {
    await act(vendor(), poRef, 'SUBMIT');
    await act(buyer(), poRef, 'APPROVE');
    await act(vendor(), poRef, 'MOVE_TO_PRODUCTION');
    const [small, medium, , red] = order.lines;
    await send({ ...order, sourceRevision: 3, xfd: '2027-05-01', lines: [small!, { ...medium!, qty: 18 }, red!] });
    const conflict = await diff();
    expect(conflict.header).toEqual([
      { field: 'xfDate', original: '2027-05-01', reply: '2027-03-15', agreed: '2027-03-15', current: '2027-03-15' },
    ]);
    // The row that went before the second approval has nothing agreed; it still differs from what was ordered first.
    const gone = ['RED-L qty 5/4/4/0', 'NVY-L qty 30/null/null/0'];
    expect(told(conflict)).toEqual(['NVY-M unitPrice 12.5/null/13/12.5', ...gone]);
  });
});

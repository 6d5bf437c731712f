import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../support/api-client.js';
import { BOM, XLSX, exported, rowsOf } from './spreadsheet-files.js';
import { type Snapshot, type World, act, linesOf, newPoNumber, openWorld } from './world.js';

describe('an export', () => {
  let world: World;
  beforeAll(() => {
    world = openWorld();
  });
  const vendor = () => world.as('vendor:ACME');

  /** Orders that nothing else has in common. */
  async function importOrders(count: number, changes: (index: number) => Partial<Snapshot> = () => ({})) {
    const tag = newPoNumber();
    const orders: Snapshot[] = [];
    for (let index = 0; index < count; index += 1) {
      orders.push(await world.importOrder({ poNumber: `${tag}-${index}`, ...changes(index) }));
    }
    return { tag, orders };
  }

  it('has the lines that the list and the line items have, in their order', async () => {
    const { tag, orders } = await importOrders(3, (index) => ({ xfd: `2027-03-0${3 - index}` }));
    const answer = await exported(world.as('buyer'), `search=${tag}&sortField=xfDate`);
    expect(answer.bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
    expect(answer.text.endsWith('\r\n')).toBe(true);
    const [labels = [], ...rows] = rowsOf(answer);
    expect(labels.slice(0, 4)).toEqual(['PO Number', 'Status', 'Vendor', 'Row ID']);
    const expected: string[][] = [];
    for (const { poNumber } of orders.toReversed()) {
      for (const { code, style, color, sizes, sizeOrder } of await linesOf(vendor(), poNumber)) {
        for (const size of sizeOrder) {
          const { rowHash = '', lineId = '', originalQty, qty } = sizes[size] ?? {};
          expected.push([
            poNumber,
            'New',
            'Acme Apparel Ltd.',
            rowHash,
            lineId,
            code,
            style,
            color,
            size,
            `${originalQty}`,
            '',
            '',
            `${qty}`,
            '12.5',
            '',
            '',
            '12.5',
          ]);
        }
      }
    }
    expect(rows).toEqual(expected);
  });

  it('of orders has what the list shows, also after both sides have worked on it', async () => {
    const { tag, orders } = await importOrders(1);
    const poRef = orders[0]?.poNumber ?? '';
    await vendor().patch(`/purchase-orders/${poRef}`, { vendor_reply_xfd: '2027-03-15', container_number: '=1+1' });
    await act(vendor(), poRef, 'SUBMIT');
    const answer = await exported(vendor(), `search=${tag}&level=orders`, 'zh');
    expect(answer.headers.get('content-language')).toBe('zh');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="purchase-orders-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(answer.text).toBe(
      `${BOM}订单号,状态,供应商,下单日期,原离厂日期,回复离厂日期,离厂日期,币种,原金额,金额,原数量,数量,柜号,运单号\r\n` +
        `${poRef},待审批,Acme Apparel Ltd.,2026-01-05,2027-03-01,2027-03-15,2027-03-15,USD,812.5,812.5,65,65,'=1+1,\r\n`,
    );
  });

  it('shows a vendor its own orders alone, and nothing where nothing is found', async () => {
    const { tag, orders } = await importOrders(2, (index) =>
      index === 0 ? { vendor: { code: 'BOLT', name: 'Bolt Garments Co.' } } : {},
    );
    const numbers = async (api: Api, query = '') =>
      rowsOf(await exported(api, `search=${tag}&level=orders&sortField=id${query}`))
        .slice(1)
        .map(([number]) => number);
    const [bolts, acmes] = orders.map(({ poNumber }) => poNumber);
    expect(await numbers(world.as('buyer'))).toEqual([bolts, acmes]);
    expect(await numbers(world.as('viewer'), '&sortDir=desc')).toEqual([acmes, bolts]);
    expect(await numbers(vendor())).toEqual([acmes]);
    expect(await numbers(vendor(), '&vendor=BOLT')).toEqual([]);
    expect(await numbers(world.as('vendor:BOLT'))).toEqual([bolts]);
  });

  it('answers HEAD without reading, and refuses what it does not know', async () => {
    const head = await vendor().head('/purchase-order-exports?format=xlsx');
    expect([head.status, head.headers.get('content-type'), head.text]).toEqual([200, XLSX['content-type'], '']);
    const { status, text } = await vendor().get('/purchase-order-exports?format=ods');
    expect([status, text]).toEqual([400, expect.stringContaining('must be csv or xlsx')]);
  });
});

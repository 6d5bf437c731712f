import { describe, expect, it } from '@jest/globals';
import { BOM, exportFile } from './spreadsheet-files.js';
import { act, openWorld } from './world.js';

describe('an export', () => {
  const world = openWorld();
  const vendor = () => world.as('vendor:ACME');

  it('of orders contains the same values as the list after a reply and a submission', async () => {
    const { poNumber: poRef } = await world.importOrder();
    await vendor().patch(`/purchase-orders/${poRef}`, { vendor_reply_xfd: '2027-03-15', container_number: '=1+1' });
    await act(vendor(), poRef, 'SUBMIT');
    const answer = await exportFile(vendor(), `search=${poRef}&level=orders`, 'zh');
    expect(answer.headers.get('content-language')).toBe('zh');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="purchase-orders-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(answer.text).toBe(
      `${BOM}订单号,状态,供应商,下单日期,原离厂日期,回复离厂日期,离厂日期,币种,原金额,金额,原数量,数量,柜号,运单号\r\n` +
        `${poRef},待审批,Acme Apparel Ltd.,2026-01-05,2027-03-01,2027-03-15,2027-03-15,USD,812.5,812.5,65,65,'=1+1,\r\n`,
    );
  });
});

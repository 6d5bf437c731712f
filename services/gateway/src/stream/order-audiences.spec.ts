import { describe, expect, it } from '@jest/globals';
import { type ChangedOrders, OrderAudiences } from './order-audiences.js';

const newer = (poRef: string, version: number, vendorCode = 'ACME') => ({
  order: { poRef, version, statusId: 200 },
  vendorCode,
});
const event = (poRef: string, version: number) =>
  `event: po-changed\ndata: {"poRef":"${poRef}","version":${version},"statusId":200}\n\n`;

/** Records what it is sent. */
function listener() {
  const received: ChangedOrders[] = [];
  return { changed: (orders: ChangedOrders) => void received.push(orders), received };
}
type Listener = ReturnType<typeof listener>;
const textTo = ({ received }: Listener) => received.map(({ text }) => text.toString());

describe('OrderAudiences', () => {
  it('sends the newest version of each order, in whatever sequence the versions arrive', () => {
    const [audiences, one] = [new OrderAudiences(), listener()];
    audiences.add('ACME', one);
    audiences.notify([newer('PO-1', 3), newer('PO-2', 1), newer('PO-1', 2)]);
    audiences.notify([newer('PO-1', 4), newer('PO-1', 4)]);
    expect(textTo(one)).toEqual([event('PO-1', 3) + event('PO-2', 1), event('PO-1', 4)]);
    expect(one.received[0]?.changes).toEqual([
      { key: 'PO-1', text: event('PO-1', 3) },
      { key: 'PO-2', text: event('PO-2', 1) },
    ]);
  });

  it("sends a vendor no other vendor's orders, and the same bytes to every listener of a scope", () => {
    const audiences = new OrderAudiences();
    const [acme, also, bolt, inside] = [listener(), listener(), listener(), listener()];
    for (const [vendorCode, one] of [
      ['ACME', acme],
      ['ACME', also],
      ['BOLT', bolt],
      [null, inside],
    ] as const) {
      audiences.add(vendorCode, one);
    }
    audiences.notify([newer('PO-1', 2), newer('PO-2', 2, 'BOLT'), newer('PO-3', 2, 'CRANE')]);
    expect([acme, bolt, inside].map(textTo)).toEqual([
      [event('PO-1', 2)],
      [event('PO-2', 2)],
      [event('PO-1', 2) + event('PO-2', 2) + event('PO-3', 2)],
    ]);
    expect(also.received[0]?.text).toBe(acme.received[0]?.text);
    audiences.remove('ACME', acme);
    audiences.notify([newer('PO-1', 3)]);
    expect([acme, also].map(({ received }) => received.length)).toEqual([1, 2]);
  });

  it("sends that there are messages, but to a vendor no internal ones and none about another vendor's order", () => {
    const audiences = new OrderAudiences();
    const [acme, bolt, inside] = [listener(), listener(), listener()];
    audiences.add('ACME', acme);
    audiences.add('BOLT', bolt);
    audiences.add(null, inside);
    const posted = (messageId: string, internal: boolean) => ({
      message: { poRef: 'PO-1', messageId },
      vendorCode: 'ACME',
      internal,
    });
    audiences.posted([posted('m-1', false), posted('m-2', true)]);
    audiences.posted([posted('m-3', true)]);
    const postedEvent = (messageId: string) =>
      `event: message-posted\ndata: {"poRef":"PO-1","messageId":"${messageId}"}\n\n`;
    expect([acme, bolt, inside].map(textTo)).toEqual([
      [postedEvent('m-1')],
      [],
      [postedEvent('m-1') + postedEvent('m-2'), postedEvent('m-3')],
    ]);
    expect(inside.received[0]?.changes.map(({ key }) => key)).toEqual(['message m-1', 'message m-2']);
  });
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import { GROUPS, TOPICS, deadLetterTopic } from '@po/contracts';
import type { IncomingRecord } from '@po/messaging';
import { type DescribedRecord, asyncApiValidator } from '../examples/asyncapi.js';
import { eventually } from '@po/testing/eventually';
import { pathsOf } from '@po/testing/documents';
import { type World, act, historyOf, linesOf, openWorld } from './world.js';

const PUBLISHED = [TOPICS.transitions, TOPICS.state, TOPICS.notifications];
const DOCUMENTS = ['libs/contracts/asyncapi.json', ...pathsOf('libs/contracts/released/**/asyncapi.json')];

const describedRecord = ({ topic, headers, key, value }: IncomingRecord): DescribedRecord => ({
  topic,
  headers,
  key: key && String(key),
  value: JSON.parse(String(value)) as unknown,
});

const isLastAction = async (world: World, poNumber: string, action: string): Promise<boolean> =>
  (await historyOf(world.as('admin'), poNumber))[0]?.action === action;

/** Validates the records of an order's life against the current AsyncAPI document and all released ones. */
describe('the records that are published about an order', () => {
  let records: IncomingRecord[];

  beforeAll(async () => {
    const world = openWorld();
    const order = await world.importOrder();
    const { poNumber } = order;
    const [vendor, buyer] = [world.as('vendor:ACME'), world.as('buyer')];
    const [item] = await linesOf(vendor, poNumber);
    const lines = [{ rowHash: item?.sizes.M?.rowHash, vendorReplyQty: 15, vendorReplyUnitPrice: 12.3456 }];
    await vendor.patch(`/purchase-orders/${poNumber}/line-items`, { lines });
    await vendor.patch(`/purchase-orders/${poNumber}`, {
      vendor_reply_xfd: '2027-04-01',
      vendor_reply_comment: '晚一点',
    });
    for (const action of ['SUBMIT', 'RECALL', 'SUBMIT']) await act(vendor, poNumber, action, '请确认');
    await act(buyer, poNumber, 'REJECT', 'too late');
    await act(vendor, poNumber, 'SUBMIT');
    await act(buyer, poNumber, 'APPROVE');
    await act(vendor, poNumber, 'MOVE_TO_PRODUCTION');
    const changed = { ...order, sourceRevision: 2, xfd: '2027-05-01' };
    await world.send('purchase-order.upserted', changed);
    await eventually('the order has a source conflict', () => isLastAction(world, poNumber, 'SOURCE_CONFLICT'));
    await world.send('purchase-order.cancelled', { poNumber, sourceRevision: 3, reason: 'season dropped' });
    await eventually('the source cancelled the order', () => isLastAction(world, poNumber, 'SOURCE_CANCEL'));
    await world.send('purchase-order.upserted', { ...changed, currency: 'dollars' });
    const wanted = [...PUBLISHED, deadLetterTopic(GROUPS.inventory)];
    records = await eventually('everything is published', async () => {
      const found = await Promise.all(wanted.map((topic) => world.raw(topic, ({ key }) => String(key) === poNumber)));
      const cancelled = found.slice(0, -1).every((some) => some.some(({ value }) => String(value).includes('已取消')));
      return cancelled && found.at(-1)?.length === 1 && found.flat();
    });
  });

  it('appear on every topic for other systems', () => {
    expect(new Set(records.map(({ topic }) => topic)).size).toBe(4);
    expect(records.length).toBeGreaterThan(25);
  });

  it.each(DOCUMENTS)('match %s', (path) => {
    const misfits = asyncApiValidator(path);
    const found = records.map((record) => [record.topic, record.offset, misfits(describedRecord(record))] as const);
    expect(found.filter(([, , sentences]) => sentences.length > 0)).toEqual([]);
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { GROUPS, TOPICS, deadLetterTopic } from '@po/contracts';
import { type ExampleMessage, readExamples, valueOf } from '../../deploy/local/example-messages.js';
import { eventually } from '@po/testing/eventually';
import { sendRecords } from '../support/send-records.js';
import { type Snapshot, detailOf, newPoNumber, openWorld } from './world.js';

describe('the inventory import', () => {
  const world = openWorld();

  const buyer = () => world.as('buyer');

  const examples = readExamples().filter(({ topic }) => topic === TOPICS.inventory);
  const refused = examples.flatMap(({ path, isRefused, message }) => (isRefused ? [[path, message] as const] : []));
  it.each(refused)('moves %s to the dead-letter topic with its reason and continues', async (_path, message) => {
    const value = valueOf(message);
    // The same bytes may have been sent before, so a header identifies this record.
    const mark = newPoNumber();
    const headers = { ...message.headers, mark };
    await sendRecords(world.kafka, [{ topic: TOPICS.inventory, key: message.key, value, headers }]);
    await world.importOrder();
    const [dead] = await eventually('the record is on the dead-letter topic', async () => {
      const records = await world.raw(deadLetterTopic(GROUPS.inventory), ({ headers }) => headers.mark === mark);
      return records.length === 1 && records;
    });
    expect(dead?.headers['x-dlq-reason']).toContain(message.reason);
    expect(dead?.headers).toMatchObject({ 'x-dlq-topic': TOPICS.inventory });
    expect(dead?.headers['x-dlq-offset']).toMatch(/^\d+$/);
    expect(dead?.value?.toString() ?? null).toBe(value);
    expect(dead?.key?.toString() ?? null).toBe(message.key);
  });

  // The stack may hold the demo orders of the examples, whose vendors must keep their counts.
  const numbers = new Map<string, string>();
  function renumbered(message: ExampleMessage): ExampleMessage {
    const key = String(message.key);
    const number = numbers.get(key) ?? `${key.slice(0, -8)}${randomUUID().slice(0, 8).toUpperCase()}`;
    numbers.set(key, number);
    const vendor = 'vendor' in (message.value as object) ? { vendor: { code: 'EXAMPLES', name: 'Examples Ltd.' } } : {};
    return { ...message, key: number, value: { ...(message.value as object), ...vendor, poNumber: number } };
  }

  it('accepts every valid example, even if it is sent twice', async () => {
    const valid = examples.filter(({ isRefused }) => !isRefused).map(({ message }) => renumbered(message));
    const isOrder = ({ headers }: ExampleMessage) => headers.type === 'purchase-order.upserted';
    const produce = (message: ExampleMessage) => world.produce(message.key, valueOf(message), message.headers.type);
    const orders = valid.filter(isOrder);
    for (const message of [...orders, ...orders]) await produce(message);
    for (const { key, value } of orders) {
      const { vendor, lines } = value as Snapshot;
      const detail = await eventually(`${key} is imported`, () => detailOf(buyer(), String(key)));
      expect(detail).toMatchObject({ statusId: 100, version: 1, vendor: vendor.name });
      const sent = lines.reduce((sum, { qty, unitPrice }) => sum + qty * unitPrice, 0);
      // Amounts go up to 10^17, where a number cannot represent cents.
      expect(detail.amount / sent).toBeCloseTo(1, 9);
    }
    const cancellations = valid.filter((message) => !isOrder(message));
    for (const message of cancellations) await produce(message);
    const cancelled = cancellations.map(({ key }) => key).find((key) => orders.some((order) => order.key === key));
    await eventually('an order is cancelled', async () => {
      return (await detailOf(buyer(), String(cancelled))).statusId === 900;
    });
    const letters = await world.raw(deadLetterTopic(GROUPS.inventory), ({ key, headers }) =>
      valid.some((message) => message.key === key?.toString() && message.headers.type === headers.type),
    );
    expect(letters).toEqual([]);
  });
});

import 'reflect-metadata';
import { expect, test } from '@jest/globals';
import { GROUPS, HEADERS, PATTERNS, TOPICS, deadLetterTopic } from '@po/contracts';
import { InMemoryKafka, startService } from '@po/messaging/testing';
import { actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { openForTests } from '@po/testing/open-for-tests';
import { AppModule } from './app.module.js';
import { revision } from './fixtures/inventory.js';
import { ordersDatabaseForTests } from './fixtures/orders-database.js';
import { subscriptions } from './subscriptions.js';

const kafka = new InMemoryKafka();
const database = ordersDatabaseForTests();
const service = openForTests(
  () => startService(AppModule.register(database), { kafka, ...subscriptions(2) }),
  ({ close }) => close(),
);

test('the order service has a handler for every request and event that it subscribes to', () => {
  expect(service.unhandled).toEqual([]);
});

test('a vendor reads and submits an order of the inventory system, and a message without an order is dead-lettered', async () => {
  const vendor = { ...actors.acme, vendorCode: revision('PO-1').vendor.code };
  const send = (value: unknown) =>
    kafka.producer().send([
      {
        topic: TOPICS.inventory,
        key: 'PO-1',
        value: JSON.stringify(value),
        headers: { [HEADERS.inventoryType]: 'purchase-order.upserted' },
      },
    ]);
  await send({});
  await send(revision('PO-1'));
  const detail = () => service.ask(PATTERNS.detail, { poRef: 'PO-1', includeLineItems: false }, vendor);
  await eventually('the order is stored', async () => (await detail()).status === 200);
  expect(kafka.records(deadLetterTopic(GROUPS.inventory))).toHaveLength(1);
  const submit = { poRef: 'PO-1', request: { action: 'SUBMIT' } };
  const { status, body } = await service.ask(PATTERNS.transition, submit, vendor, { key: 'PO-1' });
  expect([status, JSON.parse(body.toString())]).toEqual([200, expect.objectContaining({ autoApproved: false })]);
});

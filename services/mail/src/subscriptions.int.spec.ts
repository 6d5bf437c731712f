import 'reflect-metadata';
import { afterEach, expect, it } from '@jest/globals';
import { EVENT_TYPES, HEADERS, TOPICS } from '@po/contracts';
import { eventually } from '@po/testing/eventually';
import { InMemoryKafka, startService } from '@po/messaging/testing';
import { AppModule } from './app.module.js';
import { type Mailing, openMailing, queued } from './fixtures/mailing.js';
import { Grouping } from './queue/queue.service.js';
import { subscriptions } from './subscriptions.js';

let mailing: Mailing;
afterEach(() => mailing.close());

it('the notifications of all users about one change of an order are queued together', async () => {
  mailing = await openMailing();
  const { database, suppressions, tokens } = mailing;
  const kafka = new InMemoryKafka();
  const users = Array.from({ length: 200 }, (_, index) => `u-${index}`);
  await kafka.producer().send(
    users.map((userId) => ({
      topic: TOPICS.notifications,
      key: 'PO-1',
      value: JSON.stringify(queued({ userId })),
      headers: { [HEADERS.cloudEventType]: EVENT_TYPES.notificationCreated },
    })),
  );
  const module = AppModule.register({ database, grouping: new Grouping(120), suppressions, tokens });
  const { unhandled, close } = await startService(module, { kafka, ...subscriptions(4) });
  const stored = () => mailing.inspect<{ transaction: string }>('SELECT xmin::text AS transaction FROM entries');
  await eventually('all are queued', async () => (await stored()).length === users.length);
  await close();
  expect(unhandled).toEqual([]);
  expect(new Set((await stored()).map(({ transaction }) => transaction)).size).toBeLessThan(20);
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GROUPS, type Kpis, type Notification, TOPICS, deadLetterTopic } from '@po/contracts';
import { KAFKA_USERS, SUBSCRIPTIONS } from '../../deploy/documents/kafka/access.js';
import { SERVICES, type ServiceName } from '../../deploy/local/stack/stack-file.js';
import { logsIn } from '../../deploy/local/logs/log-files.js';
import { eventually } from '@po/testing/eventually';
import { auditedOperations, changeRules, normalizedOperation, rulesFor } from './kafka-rules.js';
import { repairIn, repairWith } from '../support/repair.js';
import { rowsOf } from '../support/rows.js';
import { sendRecords } from '../support/send-records.js';
import { type SecuredStack, startSecuredStack } from './secured-stack.js';
import { type World, act, historyOf, newPoNumber, openWorld } from './world.js';

const EVENTS = SUBSCRIPTIONS.flatMap(({ events }) => events);

let secured: SecuredStack;
let world: World;

beforeAll(async () => {
  secured = await startSecuredStack();
  const { tokens, ...file } = secured.stack.file();
  world = openWorld({ ...file, tokens: tokens as Required<typeof tokens> });
});
afterAll(async () => {
  await secured?.stack.stop();
  await secured?.stop();
});

const readiness = async (service: ServiceName) => {
  const answer = await fetch(`${secured.stack.file().managementUrls[service][0]}/readyz`);
  return { ready: answer.ok, text: await answer.text() };
};
const metric = async (service: ServiceName, name: string) => {
  const text = await (await fetch(`${secured.stack.file().managementUrls[service][0]}/metrics`)).text();
  return Number(new RegExp(`^${name}(?:{[^}]*})? (.+)$`, 'm').exec(text)?.[1]);
};
/** Moves the start of the order's waiting time back by 30 days. */
async function backdate(poNumber: string): Promise<void> {
  await rowsOf(
    secured.stack.file().databaseUrls.purchaseOrders,
    `UPDATE purchase_orders SET waiting_since = now() - interval '30 days', waiting_next_due_at = now() - interval '20 days'
      WHERE po_number = $1`,
    [poNumber],
  );
}
const pidOf = (service: ServiceName) => secured.processes.pids(service)[0] ?? 0;
const kpis = async () => (await world.as('buyer').get<Kpis>('/dashboard/kpis')).body;
/** Runs `dead-letters` as in a checkout that reaches the brokers, but where no stack runs. */
const deadLetters = (...args: string[]) =>
  repairWith(
    { ...secured.settingsOf('po-dead-letters'), PO_LOCAL_DIR: join(secured.folder, 'none') },
    'dead-letters',
    ...args,
  );

describe('with exactly the published access rules of Kafka', () => {
  it('an order is processed, users are notified, and the dashboard counts it', async () => {
    const before = await kpis();
    const { poNumber } = await world.importOrder();
    await act(world.as('vendor:ACME'), poNumber, 'SUBMIT');
    await act(world.as('buyer'), poNumber, 'APPROVE');
    expect((await historyOf(world.as('viewer'), poNumber)).map(({ action }) => action)).toEqual([
      'APPROVE',
      'SUBMIT',
      'IMPORT',
    ]);
    await world.as('vendor:ACME').post(`/purchase-orders/${poNumber}/messages`, { body: 'thank you' });
    await eventually('the vendor is notified', async () => {
      const { body } = await world.as('vendor:ACME').get<{ items: Notification[] }>('/notifications');
      return JSON.stringify(body).includes(poNumber);
    });
    await eventually('the order is published and counted', async () => {
      expect(await world.records(TOPICS.transitions, poNumber)).toHaveLength(3);
      expect(await world.records(TOPICS.messages, poNumber)).toHaveLength(1);
      expect((await world.records(TOPICS.notifications, poNumber)).length).toBeGreaterThan(0);
      expect((await kpis()).confirmed).toBe(before.confirmed + 1);
      return true;
    });
    const { body: me } = await world.as('viewer').get<{ userId: string }>('/me');
    await eventually('a user who has called can be deleted', async () => {
      const { status } = await world.as('admin').delete(`/users/${encodeURIComponent(me.userId)}`);
      return status === 204;
    });
  });

  it('a waiting order causes a reminder and a mail', async () => {
    const vendor = world.as('vendor:ACME');
    const { poNumber } = await world.importOrder();
    await backdate(poNumber);
    await eventually('the vendor is reminded', async () => {
      const { body } = await vendor.get<Notification[]>('/notifications?kind=REMINDER');
      return body.some(({ poRef, reminder }) => poRef === poNumber && reminder?.rule === 'REPLY_DUE');
    });
    await eventually('a mail is sent', async () => (await metric('mail', 'mail_ended_total')) > 0);
    expect((await world.as('admin').get('/mail/suppressions')).body).toEqual([]);
  });

  it('killed services recover, and the dashboard can be rebuilt', async () => {
    const counted = await kpis();
    const killed = SERVICES.map((service) => [service, pidOf(service)] as const);
    for (const [, pid] of killed) process.kill(pid, 'SIGKILL');
    for (const [service, pid] of killed) {
      await eventually(`${service} is back`, async () => pidOf(service) !== pid && (await readiness(service)).ready);
    }
    secured.stack.refresh();
    secured.stack.announce();
    const rebuilt = await repairIn(secured.folder, 'rebuild-dashboard');
    expect(rebuilt.output).toContain('a new generation is active');
    expect(await kpis()).toEqual(counted);
    const { poNumber } = await world.importOrder();
    await act(world.as('vendor:ACME'), poNumber, 'SUBMIT');
  });

  it('the dashboard queries the order service while Redis is down', async () => {
    const [redis] = secured.processes.named('Redis');
    await redis?.suspend('SIGKILL');
    const answer = await eventually('the dashboard answers', async () => {
      const { status, body } = await world.as('buyer').get<Kpis>('/dashboard/kpis');
      return status === 200 && body;
    });
    redis?.resume();
    await eventually('the dashboard uses Redis again', async () => (await metric('dashboard', 'redis_up')) === 1);
    // Changes from just before or during the outage are counted when their events are retried.
    await eventually('the counts are the same', async () => isDeepStrictEqual(await kpis(), answer));
  });

  it('every service writes invalid records to its dead-letter topic, and they can be listed and redriven', async () => {
    // No service writes dead letters of requests, but the listing must include these topics.
    const others = Object.values(GROUPS).filter((name) => EVENTS.every(({ group }) => group !== name));
    const letters = others.map((group) => ({ topic: deadLetterTopic(group), key: null, value: '', headers: {} }));
    await sendRecords(world.kafka, letters);
    const broken = EVENTS.map(({ group, topics }) => ({
      group,
      records: topics.map((topic) => ({ topic, key: newPoNumber(), value: '{', headers: {} })),
    }));
    for (const { records } of broken) await sendRecords(world.kafka, records);
    for (const { group, records } of broken) {
      const isAside = (key: string) => async () =>
        (await world.raw(deadLetterTopic(group), (record) => String(record.key) === key)).length > 0;
      for (const { key } of records) await eventually(`${key} is a dead letter`, isAside(key));
    }
    const listed = await deadLetters('list');
    expect(listed).toMatchObject({ code: 0, text: listed.output });
    for (const group of others) expect(listed.output).toMatch(new RegExp(`^${group} +1$`, 'm'));
    const redrive = async ({ group, topics }: (typeof EVENTS)[number]) => {
      const sent = await deadLetters('redrive', group, '--all');
      expect(sent).toMatchObject({ code: 0, text: sent.output });
      for (const topic of topics) expect(sent.output).toContain(` -> ${topic}/`);
    };
    await Promise.all(EVENTS.map(redrive));
  });

  it('every rule is needed, and no user attempted anything else', async () => {
    const granted = Object.entries(KAFKA_USERS).flatMap(([user, rules]) =>
      rules.flatMap(({ resource, name, operations }) =>
        operations.map((operation) => ({
          resource,
          wish: `${user} ${normalizedOperation(operation)} ${resource} ${name}`,
        })),
      ),
    );
    const allowed = [...(await auditedOperations(secured.folder, 'Allowed'))];
    const unused = granted.filter(
      ({ resource, wish }) => !allowed.some((one) => (resource === 'group' ? one.startsWith(wish) : one === wish)),
    );
    expect(unused.map(({ wish }) => wish)).toEqual([]);
    expect(granted.length).toBeGreaterThan(50);
    expect([...(await auditedOperations(secured.folder, 'Denied'))].filter(Boolean)).toEqual([]);
  });

  it.each([
    ['dashboard', 'po-dashboard', 'Read', TOPICS.state, 'read topic'],
    ['purchaseOrders', 'po-purchase-orders', 'Write', TOPICS.transitions, 'write to topic'],
  ] as const)(
    '%s without one rule reports which, keeps working otherwise, and catches up when it is restored',
    async (service, user, operation, topic, wish) => {
      const pid = pidOf(service);
      const rules = rulesFor(secured.rules, user, operation, topic);
      expect(rules).toHaveLength(1);
      await changeRules(secured.plain, { remove: rules });
      const { poNumber } = await world.importOrder();
      await act(world.as('vendor:ACME'), poNumber, 'SUBMIT');
      const readinessText = await eventually('the service is not ready', async () => {
        const { ready, text } = await readiness(service);
        return !ready && text;
      });
      expect(readinessText).toContain(`kafka access: this user may not ${wish} ${topic}`);
      expect(await world.as('buyer').get(`/purchase-orders/${poNumber}`)).toMatchObject({ status: 200 });
      await changeRules(secured.plain, { add: rules });
      await eventually('the service is ready again', async () => (await readiness(service)).ready);
      await eventually('all transitions are published', async () => {
        expect(await world.records(TOPICS.transitions, poNumber)).toHaveLength(2);
        return true;
      });
      expect(pidOf(service)).toBe(pid);
    },
  );

  it('a service with a wrong password reports the failure, but no password, and recovers without a restart', async () => {
    const { KAFKA_SASL_PASSWORD_FILE: path = '' } = secured.settingsOf('po-notifications');
    const password = await readFile(path, 'utf8');
    const [service] = secured.processes.named('notifications');
    await service?.suspend('SIGTERM');
    await writeFile(path, 'wrong battery');
    service?.resume();
    const readinessText = await eventually('the service reports the reason', async () => {
      const { text } = await readiness('notifications');
      return text.includes('authentication failed') && text;
    });
    expect(readinessText).toContain(
      `has not joined group ${GROUPS.notificationsRpc} yet: SASL SCRAM SHA512 authentication failed: `,
    );
    const pid = pidOf('notifications');
    await writeFile(path, password);
    await eventually('the service is ready', async () => (await readiness('notifications')).ready);
    expect(pidOf('notifications')).toBe(pid);
    const log = await readFile(join(logsIn(secured.folder), 'notifications.log'), 'utf8');
    expect(log).toContain('authentication failed');
    expect(`${log}${readinessText}`).not.toMatch(/wrong battery|password of/);
  });
});

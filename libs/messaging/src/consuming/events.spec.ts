import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, GROUPS, HEADERS, TOPICS, type UserSeen, deadLetterTopic } from '@po/contracts';
import { actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { ContentError } from './content-error.js';
import { type TestApplication, handled, startApplication } from '../fixtures/application.js';

describe('events over Kafka', () => {
  let app: TestApplication;
  beforeEach(async () => {
    app = await startApplication();
  });
  afterEach(() => app.close());

  const publish = (
    key: string | null,
    value: unknown,
    headers: Record<string, string> = { [HEADERS.cloudEventType]: EVENT_TYPES.userSeen },
  ) =>
    app.kafka
      .producer()
      .send([{ topic: TOPICS.users, key, value: Buffer.isBuffer(value) ? value : JSON.stringify(value), headers }]);

  const user = (sub: string, second = 0): UserSeen => ({
    ...actors.acme,
    sub,
    seenAt: `2026-11-21T08:00:0${second}.000Z`,
  });

  const dead = () => app.kafka.records(deadLetterTopic(GROUPS.notificationsEvents));

  it('handles events of a key in order and retries after a fault, while other keys continue', async () => {
    handled.failures.set('a', [new Error('database is away'), new Error('database is away')]);
    await publish('a', user('a', 1));
    await publish('a', user('a', 2));
    await publish('b', user('b', 1));
    await eventually('all three are handled', () => handled.events.length === 3);
    expect(handled.events[0]).toBe('b@2026-11-21T08:00:01.000Z/b');
    expect(handled.events.slice(1)).toEqual(['a@2026-11-21T08:00:01.000Z/a', 'a@2026-11-21T08:00:02.000Z/a']);
    expect(dead()).toEqual([]);
  });

  it('handles an event of an unordered topic while an earlier one of its key is unfinished', async () => {
    await app.close();
    app = await startApplication({ unordered: [TOPICS.users] });
    await publish('slow', user('slow'));
    await publish('slow', { sub: 'slow' });
    await eventually('the invalid event is dead-lettered', () => dead().length === 1);
    expect(handled.events).toEqual([]);
    handled.release();
    await eventually('the slow one is handled', () => handled.events.length === 1);
  });

  const poison: [string, () => Promise<void>, RegExp][] = [
    ['bad JSON', () => publish('a', Buffer.from('{"')), /not JSON/],
    ['bad UTF-8', () => publish('a', Buffer.from([0xff, 0xfe])), /not UTF-8/],
    ['a missing type', () => publish('a', user('a'), {}), /header ce_type is missing; allowed: user\.seen\.v1/],
    ['an unknown type', () => publish('a', user('a'), { ce_type: '__proto__' }), /unknown ce_type "__proto__"/],
    ['a wrong schema', () => publish('a', { sub: 'a' }), /does not fit user\.seen\.v1: \/email/],
    ['another key', () => publish('b', user('a')), /key b is not the user a/],
    [
      'content the handler refuses',
      async () => {
        handled.failures.set('a', [new ContentError('the vendor code changed')]);
        await publish('a', user('a'));
      },
      /the vendor code changed/,
    ],
    [
      'a null value',
      () =>
        app.kafka
          .producer()
          .send([{ topic: TOPICS.users, key: 'a', value: null, headers: { ce_type: EVENT_TYPES.userSeen } }]),
      /null/,
    ],
  ];
  it.each(poison)('dead-letters %s with its reason and original bytes, and continues', async (_name, send, reason) => {
    await send();
    await publish('z', user('z'));
    await eventually('the next one is handled', () => handled.events.length === 1);
    await eventually('the invalid record is dead-lettered', () => dead().length === 1);
    const original = app.kafka.records(TOPICS.users).find(({ key }) => String(key) !== 'z');
    expect(dead()[0]).toMatchObject({
      key: original?.key,
      value: original?.value,
      headers: {
        ...original?.headers,
        [HEADERS.deadLetterTopic]: TOPICS.users,
        [HEADERS.deadLetterOffset]: original?.offset,
      },
    });
    expect(dead()[0]?.headers[HEADERS.deadLetterReason]).toMatch(reason);
  });

  it('handles uncommitted events again after a rebalance, and commits handled ones', async () => {
    await publish('slow', user('slow'));
    await publish('b', user('b'));
    await eventually('one is handled', () => handled.events.length === 1);
    app.kafka.rebalance(GROUPS.notificationsEvents);
    handled.release();
    await eventually(
      'the slow one is handled',
      () => handled.events.filter((event) => event.startsWith('slow')).length > 0,
    );
    const committed = await eventually('everything is committed', async () => {
      const admin = await app.kafka.admin();
      const offsets = await admin.committed(GROUPS.notificationsEvents, TOPICS.users);
      const records = offsets.reduce((sum, { offset }) => sum + Math.max(0, Number(offset)), 0);
      return records === 2 && records;
    });
    expect(committed).toBe(2);
    expect(new Set(handled.events).size).toBe(2);
  });
});

import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type INestMicroservice } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  EVENT_TYPES,
  GROUPS,
  HEADERS,
  PATTERNS,
  ProblemError,
  TOPICS,
  type UserSeen,
  deadLetterTopic,
} from '@po/contracts';
import { UserSeen as UserSeenSchema } from '@po/contracts';
import { Health } from '@po/platform';
import { pino } from 'pino';
import { actorKeys, actors } from '../../../test/support/actors.js';
import { eventually } from '../../../test/support/eventually.js';
import { ContentError } from './content-error.js';
import type { EventContext, RpcContext } from './context.js';
import { PassErrorsOn } from './dispatch.js';
import { InMemoryKafka } from './in-memory-kafka.js';
import { KafkaServer } from './kafka-server.js';
import { type Reply, ok } from './reply.js';
import { KafkaRpcClient, type RpcRequest } from './rpc-client.js';

/** What the controller below saw and how it should behave: set by each test. */
const seen: { queries: unknown[]; events: string[]; failures: Map<string, Error[]> } = {
  queries: [],
  events: [],
  failures: new Map(),
};
let release = Promise.withResolvers<void>();

@Controller()
class OrdersController {
  @MessagePattern(PATTERNS.detail.type)
  detail(@Payload() query: { poRef: string }, @Ctx() context: RpcContext): Reply {
    seen.queries.push({ query, context });
    const failure = seen.failures.get(query.poRef)?.shift();
    if (failure) throw failure;
    if (query.poRef === 'PO-MISSING') throw new ProblemError('PO_NOT_FOUND');
    if (query.poRef === 'PO-BUG') throw new TypeError('secret detail');
    return ok({ poRef: query.poRef, by: context.actor.sub }, { etag: '"7"' });
  }

  @MessagePattern(PATTERNS.transition.type)
  async transition(@Payload() command: { poRef: string }, @Ctx() context: RpcContext): Promise<Reply> {
    seen.queries.push({ command, context });
    const failure = seen.failures.get(command.poRef)?.shift();
    if (failure) throw failure;
    if (command.poRef === 'PO-SLOW') await release.promise;
    return ok({ success: true });
  }

  @EventPattern<string>(EVENT_TYPES.userSeen)
  async userSeen(@Payload() user: UserSeen, @Ctx() context: EventContext): Promise<void> {
    const failure = seen.failures.get(user.sub)?.shift();
    if (failure) throw failure;
    if (user.sub === 'slow') await release.promise;
    seen.events.push(`${user.sub}@${user.seenAt}/${context.key}`);
  }
}

@Module({ controllers: [OrdersController] })
class TestModule {}

const logger = pino({ level: 'silent' });

describe('requests and events over Kafka', () => {
  let kafka: InMemoryKafka;
  let app: INestMicroservice;
  let client: KafkaRpcClient;
  let request: RpcRequest;
  const health = new Health();

  beforeEach(async () => {
    seen.queries = [];
    seen.events = [];
    seen.failures = new Map();
    release = Promise.withResolvers();
    kafka = new InMemoryKafka();
    const { signer, verifier } = await actorKeys();
    const server = new KafkaServer({
      kafka,
      logger,
      health,
      groupSuffix: '',
      actors: verifier,
      rpc: [
        { group: GROUPS.queries, topic: TOPICS.queries, concurrency: 4 },
        { group: GROUPS.commands, topic: TOPICS.commands, concurrency: 4 },
      ],
      events: [
        {
          group: GROUPS.notificationsEvents,
          topics: [TOPICS.users],
          concurrency: 4,
          typeHeader: HEADERS.cloudEventType,
          schemas: { [EVENT_TYPES.userSeen]: UserSeenSchema },
          checkKey: (user: UserSeen, key) => (user.sub === key ? null : `key ${key} is not the user ${user.sub}`),
        },
      ],
    });
    app = await NestFactory.createMicroservice(TestModule, { strategy: server, logger: false });
    app.useGlobalFilters(new PassErrorsOn());
    await app.listen();
    client = new KafkaRpcClient({
      kafka,
      logger,
      instanceId: 'gateway-1',
      health,
      deadlines: { query: 400, command: 500 },
    });
    await client.connect();
    await eventually('the reply slot is proven', () => health.notReady().length === 0);
    request = {
      actorToken: await signer.sign(actors.acme),
      requestId: 'r-1',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      locale: 'en',
      path: '/api/purchase-orders/PO-1',
    };
  });

  afterEach(async () => {
    release.resolve();
    await client.close();
    await app.close();
  });

  const detail = (poRef: string, extra: Partial<RpcRequest> = {}) =>
    client.request(PATTERNS.detail, { poRef, includeLineItems: false }, { ...request, ...extra });

  const transition = (poRef: string, extra: Partial<RpcRequest> = {}) =>
    client.request(PATTERNS.transition, { poRef, request: { action: 'SUBMIT' } }, { ...request, key: poRef, ...extra });

  const publish = (
    key: string | null,
    value: unknown,
    headers: Record<string, string> = { [HEADERS.cloudEventType]: EVENT_TYPES.userSeen },
  ) =>
    kafka
      .producer()
      .send([{ topic: TOPICS.users, key, value: Buffer.isBuffer(value) ? value : JSON.stringify(value), headers }]);

  const user = (sub: string, second = 0): UserSeen => ({
    ...actors.acme,
    sub,
    seenAt: `2026-11-21T08:00:0${second}.000Z`,
  });

  const dead = () => kafka.records(deadLetterTopic(GROUPS.notificationsEvents));

  it('answers a query with status, allow-listed headers and the body as written', async () => {
    const response = await detail('PO-1');
    expect(response.status).toBe(200);
    expect(response.headers).toEqual({ etag: '"7"' });
    expect(response.body.toString()).toBe('{"poRef":"PO-1","by":"u-acme"}');
    expect(seen.queries).toHaveLength(1);
    expect(seen.queries[0]).toMatchObject({
      query: { poRef: 'PO-1', includeLineItems: false },
      context: { actor: actors.acme, requestId: 'r-1', path: '/api/purchase-orders/PO-1', idempotencyKey: null },
    });
  });

  it('keeps the trace id and gives the handler a span of its own', async () => {
    await detail('PO-1');
    const { context } = seen.queries[0] as { context: RpcContext };
    expect(context.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/);
  });

  it('turns a refusal into problem+json in the language of the caller', async () => {
    const response = await detail('PO-MISSING', { locale: 'zh' });
    expect(response.status).toBe(404);
    expect(JSON.parse(response.body.toString())).toMatchObject({
      code: 'PO_NOT_FOUND',
      title: '未找到采购订单',
      requestId: 'r-1',
      instance: '/api/purchase-orders/PO-1',
      success: false,
    });
  });

  it('answers a bug with 500 and nothing of its inside', async () => {
    const response = await detail('PO-BUG');
    expect(response.status).toBe(500);
    expect(response.body.toString()).not.toContain('secret');
  });

  it('answers a query whose store stays away with 503 before the caller gives up', async () => {
    seen.failures.set(
      'PO-1',
      Array.from({ length: 20 }, () => new Error('connection lost')),
    );
    const response = await detail('PO-1');
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toBe('2');
  });

  it('does not call the handler for a payload outside the schema', async () => {
    const response = await client.request(PATTERNS.detail, { poRef: 'po lower', includeLineItems: false }, request);
    expect(response.status).toBe(400);
    expect(seen.queries).toEqual([]);
  });

  it('does not answer a request whose actor signature is bad', async () => {
    const forged = await (await actorKeys()).signer.sign(actors.admin);
    await expect(detail('PO-1', { actorToken: forged })).rejects.toMatchObject({ code: 'TIMEOUT', members: {} });
    expect(seen.queries).toEqual([]);
  });

  it('retries a command over a passing fault and answers once', async () => {
    seen.failures.set('PO-1', [new Error('connection lost'), new Error('connection lost')]);
    const response = await transition('PO-1', { idempotencyKey: 'k-1', idempotencyOrigin: 'client', method: 'POST' });
    expect(response.status).toBe(200);
    expect(seen.queries).toHaveLength(3);
    const ids = seen.queries.map((query) => (query as { context: RpcContext }).context.commandId);
    expect(new Set(ids).size).toBe(1);
  });

  it('handles the commands of one order one after another, and those of others meanwhile', async () => {
    const slow = [transition('PO-SLOW'), transition('PO-SLOW')];
    await expect(transition('PO-2')).resolves.toMatchObject({ status: 200 });
    expect(seen.queries).toHaveLength(2);
    release.resolve();
    await expect(Promise.all(slow)).resolves.toHaveLength(2);
    expect(seen.queries).toHaveLength(3);
  });

  it('tells a write that was sent and not answered that its outcome is unknown, with the key to ask by', async () => {
    const writing = transition('PO-SLOW', { idempotencyKey: 'mine' });
    await expect(writing).rejects.toMatchObject({
      code: 'TIMEOUT',
      members: { outcome: 'unknown', idempotencyKey: 'mine' },
    });
  });

  it('refuses with 503 and Retry-After what could not be sent, and recovers when the broker is back', async () => {
    kafka.down = true;
    await expect(transition('PO-1')).rejects.toBeInstanceOf(ProblemError);
    await eventually(
      'requests are refused at once',
      async () => {
        const started = performance.now();
        const problem = (await transition('PO-1').catch((error: unknown) => error)) as ProblemError;
        return (
          problem.code === 'UNAVAILABLE' &&
          problem.options.headers?.['retry-after'] === '2' &&
          performance.now() - started < 100
        );
      },
      { timeoutMs: 20_000 },
    );
    kafka.down = false;
    await eventually('it answers again', () => transition('PO-1').then(({ status }) => status === 200));
  }, 40_000);

  it('handles a key’s events in order, tries again after a fault, and lets other keys pass', async () => {
    seen.failures.set('a', [new Error('database is away'), new Error('database is away')]);
    await publish('a', user('a', 1));
    await publish('a', user('a', 2));
    await publish('b', user('b', 1));
    await eventually('all three are handled', () => seen.events.length === 3);
    expect(seen.events[0]).toBe('b@2026-11-21T08:00:01.000Z/b');
    expect(seen.events.slice(1)).toEqual(['a@2026-11-21T08:00:01.000Z/a', 'a@2026-11-21T08:00:02.000Z/a']);
    expect(dead()).toEqual([]);
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
        seen.failures.set('a', [new ContentError('the vendor code changed')]);
        await publish('a', user('a'));
      },
      /the vendor code changed/,
    ],
    [
      'a value the database refuses',
      async () => {
        seen.failures.set('a', [Object.assign(new Error('value too long'), { code: '22001' })]);
        await publish('a', user('a'));
      },
      /value too long/,
    ],
    [
      'a null value',
      () =>
        kafka
          .producer()
          .send([{ topic: TOPICS.users, key: 'a', value: null, headers: { ce_type: EVENT_TYPES.userSeen } }]),
      /null/,
    ],
  ];
  it.each(poison)('dead-letters %s with its reason and original bytes, and goes on', async (_name, send, reason) => {
    await send();
    await publish('z', user('z'));
    await eventually('the next one is handled', () => seen.events.length === 1);
    await eventually('the poison is set aside', () => dead().length === 1);
    const original = kafka.records(TOPICS.users).find(({ key }) => String(key) !== 'z');
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

  it('handles what was not committed again after a rebalance, and commits what is done', async () => {
    await publish('slow', user('slow'));
    await publish('b', user('b'));
    await eventually('one is handled', () => seen.events.length === 1);
    kafka.rebalance(GROUPS.notificationsEvents);
    release.resolve();
    await eventually(
      'the slow one is handled',
      () => seen.events.filter((event) => event.startsWith('slow')).length > 0,
    );
    const committed = await eventually('everything is committed', async () => {
      const admin = await kafka.admin();
      const offsets = await admin.committed(GROUPS.notificationsEvents, TOPICS.users);
      const records = offsets.reduce((sum, { offset }) => sum + Math.max(0, Number(offset)), 0);
      return records === 2 && records;
    });
    expect(committed).toBe(2);
    expect(new Set(seen.events).size).toBe(2);
  });
});

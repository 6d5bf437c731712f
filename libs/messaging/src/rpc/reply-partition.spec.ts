import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { HEADERS, PATTERNS, ProblemError, REPLY_PARTITIONS, TOPICS, TOPIC_MANIFEST } from '@po/contracts';
import { Health } from '@po/platform';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import { rpcLateReplies } from '../metrics.js';
import { ReplyPartition, initialReplyPartition } from './reply-partition.js';
import { ReplyPartitions } from './reply-partitions.js';
import { KafkaRpcClient } from './rpc-client.js';
import { NO_ACTOR } from './rpc-headers.js';

const logger = pino({ level: 'silent' });
const FIRST = initialReplyPartition('gateway-1');
const NEXT = (FIRST + 1) % REPLY_PARTITIONS;
const request = { actorToken: NO_ACTOR, requestId: 'r-1', traceparent: '', locale: 'en', path: '/' } as const;

describe('the reply partition', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

  const open = (kafka: InMemoryKafka, moveAfterMs = 200) => {
    const replies: string[] = [];
    const own = new ReplyPartition({
      kafka,
      logger,
      instanceId: 'gateway-1',
      partition: FIRST,
      apartFrom: () => [],
      moveAfterMs,
      onReply: (correlationId) => replies.push(correlationId),
    });
    closing.push(() => own.stop());
    own.start();
    return { own, replies };
  };
  const openClient = async (kafka: InMemoryKafka, instanceId = 'gateway-1', health = new Health()) => {
    const client = new KafkaRpcClient({
      kafka,
      logger,
      health,
      instanceId,
      moveAfterMs: 200,
      deadlines: { query: 1_000, command: 4_000 },
    });
    closing.push(() => client.close());
    await client.connect();
    await eventually('it is verified', () => health.notReady().length === 0);
    return client;
  };
  const reply = (kafka: InMemoryKafka, correlationId: string, partition = FIRST) =>
    kafka.producer().send([
      {
        topic: TOPICS.replies,
        partition,
        key: null,
        value: '{}',
        headers: { [HEADERS.correlationId]: correlationId, [HEADERS.httpStatus]: '200' },
      },
    ]);
  /** Correlation id and reply partition of each request, oldest first. */
  const requestsOn = (kafka: InMemoryKafka, topic: string) =>
    kafka
      .records(topic)
      .toSorted((a, b) => a.timestamp - b.timestamp)
      .map(({ headers }) => ({
        id: headers[HEADERS.correlationId] ?? '',
        partition: Number(headers[HEADERS.replyPartition]),
      }));

  it('is verified even if some pings are lost', async () => {
    let sends = 0;
    const kafka = new InMemoryKafka(TOPIC_MANIFEST, { random: () => ((sends += 1) < 4 ? 0 : 1), rejected: 0.5 });
    const { own } = open(kafka, 10_000);
    await eventually('it is verified', () => own.isVerified);
    expect(own.partition).toBe(FIRST);
    expect(sends).toBeGreaterThanOrEqual(4);
  });

  it('is checked again without a new connection while its pings come back', async () => {
    const kafka = new InMemoryKafka();
    const producers = jest.spyOn(kafka, 'producer');
    const { own } = open(kafka);
    await eventually('it is verified', () => own.isVerified);
    own.verify();
    await eventually('the check has ended', () => own.silentForMs === 0);
    expect(producers).toHaveBeenCalledTimes(1);
  });

  it('loses no reply that arrives during a rejoin', async () => {
    const kafka = new InMemoryKafka();
    const { own, replies } = open(kafka);
    await eventually('it is verified', () => own.isVerified);
    kafka.rebalance(`replies-gateway-1-${FIRST}`);
    await reply(kafka, 'asked-before');
    await eventually('the reply arrives', () => replies.length > 0);
    expect(replies).toEqual(['asked-before']);
  });

  it('is another partition from the start if the preferred one has no leader', async () => {
    const kafka = new InMemoryKafka();
    kafka.setLeader(TOPICS.replies, FIRST, false);
    kafka.setLeader(TOPICS.replies, NEXT, false);
    const { own } = open(kafka);
    await eventually('it is verified', () => own.isVerified);
    expect(own.partition).toBe((FIRST + 2) % REPLY_PARTITIONS);
  });

  it('does not change while Kafka is unavailable', async () => {
    const kafka = new InMemoryKafka();
    const { own, replies } = open(kafka);
    await eventually('it is verified', () => own.isVerified);
    kafka.down = true;
    own.verify();
    let looks = 0;
    await eventually('more time than a change takes has passed', () => (looks += 1) > 40);
    expect(own.partition).toBe(FIRST);
    expect(own.isVerified).toBe(true);
    kafka.down = false;
    await reply(kafka, 'afterwards');
    expect(await eventually('replies arrive again', () => replies.length > 0 && replies)).toEqual(['afterwards']);
  });

  it('changes when it loses its leader', async () => {
    const kafka = new InMemoryKafka();
    const { own, replies } = open(kafka);
    await eventually('it is verified', () => own.isVerified);
    kafka.setLeader(TOPICS.replies, FIRST, false);
    own.verify();
    await eventually('it has moved', () => own.partition === NEXT);
    await reply(kafka, 'there', NEXT);
    kafka.setLeader(TOPICS.replies, FIRST, true);
    await reply(kafka, 'late');
    await eventually('replies arrive on both', () => replies.length === 2);
    expect(replies.toSorted()).toEqual(['late', 'there']);
  });

  it('is replaced by the second reply partition for pending and later requests when it loses its leader', async () => {
    const kafka = new InMemoryKafka();
    const client = await openClient(kafka);
    kafka.setLeader(TOPICS.replies, FIRST, false);
    const asking = client.request(PATTERNS.transition, {}, { ...request, key: 'PO-1' });
    const onto = await eventually('the request is resent with the other reply partition', () =>
      requestsOn(kafka, TOPICS.commands).find(({ partition }) => partition === NEXT),
    );
    await reply(kafka, onto.id, NEXT);
    await expect(asking).resolves.toMatchObject({ status: 200 });
    void client.request(PATTERNS.transition, {}, { ...request, key: 'PO-2' }).catch(() => undefined);
    await eventually('the next one is sent', () => requestsOn(kafka, TOPICS.commands).length === 3);
    expect(requestsOn(kafka, TOPICS.commands).at(-1)?.partition).toBe(NEXT);
  });

  it('is abandoned by all its pending requests when it cannot deliver replies', async () => {
    const kafka = new InMemoryKafka();
    const client = await openClient(kafka);
    kafka.setLeader(TOPICS.replies, FIRST, false);
    const orders = Array.from({ length: 150 }, (_, order) => `PO-${order}`);
    for (const key of orders) client.request(PATTERNS.transition, {}, { ...request, key }).catch(() => undefined);
    const elsewhere = () =>
      requestsOn(kafka, TOPICS.commands).filter(({ partition }) => partition !== FIRST).length >= orders.length;
    await eventually('all requests are resent with another reply partition', elsewhere);
  });

  it('never becomes the same as the second reply partition, even if both change at the same time', async () => {
    const kafka = new InMemoryKafka();
    const partitions = new ReplyPartitions({
      kafka,
      logger,
      instanceId: 'gateway-1',
      moveAfterMs: 200,
      onReply: () => undefined,
    });
    closing.push(() => partitions.stop());
    partitions.start();
    const verified = () => partitions.pick() === 0 && partitions.pick(0) === 1;
    await eventually('both are verified', verified);
    for (const partition of [FIRST, NEXT]) kafka.setLeader(TOPICS.replies, partition, false);
    for (const own of [0, 1]) partitions.verify(own);
    const moved = () => [0, 1].map((own) => partitions.partition(own)).filter((at) => at !== FIRST && at !== NEXT);
    await eventually('both have moved', () => moved().length === 2);
    expect(new Set(moved()).size).toBe(2);
  });

  it('makes the client refuse requests at once while no partition works, stays ready, and recovers', async () => {
    const kafka = new InMemoryKafka();
    const health = new Health();
    const client = await openClient(kafka, 'gateway-1', health);
    const all = Array.from({ length: REPLY_PARTITIONS }, (_, partition) => partition);
    for (const partition of all) kafka.setLeader(TOPICS.replies, partition, false);
    const ask = () => client.request(PATTERNS.list, {}, request).catch((problem: unknown) => problem);
    const refused = async () => {
      const before = requestsOn(kafka, TOPICS.queries).length;
      const problem = await ask();
      return problem instanceof ProblemError && problem.code === 'UNAVAILABLE' && before;
    };
    const sent = await eventually('it is refused', refused);
    expect(requestsOn(kafka, TOPICS.queries)).toHaveLength(sent);
    expect(health.notReady()).toEqual([]);
    for (const partition of all) kafka.setLeader(TOPICS.replies, partition, true);
    const isAsked = () => (void ask(), requestsOn(kafka, TOPICS.queries).length > sent);
    await eventually('requests are sent again', isAsked);
  });

  it('may be shared: each instance takes its own replies and counts the others as late', async () => {
    const twin = Array.from({ length: 1_000 }, (_, index) => `gateway-${index + 2}`).find(
      (id) => initialReplyPartition(id) === FIRST,
    );
    const kafka = new InMemoryKafka();
    const clients = [await openClient(kafka), await openClient(kafka, twin)];
    const late = async () => (await rpcLateReplies.get()).values[0]?.value ?? 0;
    const before = await late();
    const answers = clients.map((client) => client.request(PATTERNS.transition, {}, { ...request, key: 'PO-1' }));
    await eventually('both are sent', () => requestsOn(kafka, TOPICS.commands).length === 2);
    for (const { id, partition } of requestsOn(kafka, TOPICS.commands)) {
      expect(partition).toBe(FIRST);
      await reply(kafka, id);
    }
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    await eventually('both saw both', async () => (await late()) - before === 2);
  });
});

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HEADERS, PATTERNS, type ProblemError, TOPICS } from '@po/contracts';
import { Health } from '@po/platform';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { advanceClock, useVirtualClock, flushEventLoop } from '../fixtures/virtual-time.js';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import { rpcLateReplies, rpcPending } from '../metrics.js';
import type { RpcReply } from './pending.js';
import { KafkaRpcClient } from './rpc-client.js';
import { NO_ACTOR } from './rpc-headers.js';

const DEADLINES = { query: 1_000, command: 2_000 };
const MAX_PENDING = 6;
const IDENTITY = { actorToken: NO_ACTOR, requestId: 'r-1', traceparent: '', locale: 'en', path: '/' } as const;

interface RequestState {
  kind: 'query' | 'command';
  id: string;
  /** Virtual times at which the request ended. */
  endedAt: number[];
  response: RpcReply | null;
  problem: ProblemError | null;
}

/** A client in virtual time; the spec acts as the services. */
async function openClient(maxPending = MAX_PENDING) {
  const kafka = new InMemoryKafka();
  const health = new Health();
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
  const client = new KafkaRpcClient({
    kafka,
    health,
    logger,
    instanceId: 'gateway-1',
    deadlines: DEADLINES,
    maxPending,
  });
  await client.connect();
  await eventually('the reply partition is verified', () => health.notReady().length === 0);
  useVirtualClock();
  const requests: RequestState[] = [];
  const sendings = ({ kind, id }: RequestState) =>
    kafka
      .records(kind === 'query' ? TOPICS.queries : TOPICS.commands)
      .filter(({ headers }) => headers[HEADERS.commandId] === id);
  return {
    kafka,
    client,
    lines,
    requests,
    sendings,
    ask(kind: 'query' | 'command', own: { idempotencyKey?: string } = {}, payload: unknown = {}) {
      const one: RequestState = {
        kind,
        id: `c-${requests.length}`,
        endedAt: [],
        response: null,
        problem: null,
      };
      requests.push(one);
      const pattern = kind === 'query' ? PATTERNS.detail : PATTERNS.transition;
      client
        .request(pattern, payload, { ...IDENTITY, ...own, key: kind === 'query' ? null : one.id, commandId: one.id })
        .then(
          (response) => void (one.response = response),
          (problem: ProblemError) => void (one.problem = problem),
        )
        .finally(() => one.endedAt.push(Date.now()));
    },
    /** Answers every send of a request, as two replicas that both received it would. */
    async reply(one: RequestState | undefined, status = 200) {
      for (const { headers } of one ? sendings(one) : []) {
        await kafka.producer().send([
          {
            topic: TOPICS.replies,
            partition: Number(headers[HEADERS.replyPartition]),
            key: null,
            value: '{}',
            headers: {
              [HEADERS.correlationId]: headers[HEADERS.correlationId] ?? '',
              [HEADERS.httpStatus]: String(status),
            },
          },
        ]);
      }
      await flushEventLoop();
    },
    async close() {
      const closing = client.close();
      await advanceClock(10);
      jest.useRealTimers();
      await closing;
    },
  };
}

type World = Awaited<ReturnType<typeof openClient>>;

describe('the reply or refusal of a request', () => {
  let world: World;
  beforeEach(async () => {
    world = await openClient();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await world.close();
  });

  it('is preceded by a log line if the brokers refuse the request, for example as too large for its topic', async () => {
    world.ask('command', {}, { comment: 'x'.repeat(9 * 1024 * 1024) });
    await advanceClock(DEADLINES.command);
    expect(world.requests[0]?.problem).toMatchObject({ code: 'TIMEOUT', members: { outcome: 'unknown' } });
    expect(world.lines[0]).toContain('"the broker refused a record or batch as too large');
    expect(world.lines[0]).toContain(PATTERNS.transition.type);
  });

  it('leaves no timer behind; none runs while no request is pending', async () => {
    expect(jest.getTimerCount()).toBe(0);
    world.ask('query');
    world.ask('command');
    await advanceClock(5);
    await Promise.all(world.requests.map((one) => world.reply(one)));
    expect(world.requests.map(({ response }) => response?.status)).toEqual([200, 200]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each(['query', 'command'] as const)(
    'of a %s arrives over another partition when the first gives no reply',
    async (kind) => {
      const late = async () => (await rpcLateReplies.get()).values[0]?.value ?? 0;
      world.ask(kind);
      await advanceClock(DEADLINES.query * 0.39);
      expect(world.sendings(world.requests[0] as RequestState)).toHaveLength(1);
      await advanceClock(DEADLINES.query * 0.02);
      const sent = world.sendings(world.requests[0] as RequestState);
      expect(sent).toHaveLength(2);
      expect(new Set(sent.map(({ partition }) => partition)).size).toBe(2);
      expect(new Set(sent.map(({ headers }) => headers[HEADERS.replyPartition])).size).toBe(2);
      const before = await late();
      await world.reply(world.requests[0]);
      expect(world.requests[0]?.response?.status).toBe(200);
      expect((await late()) - before).toBe(1);
    },
  );

  it('arrives sooner over another partition when other requests were answered in the meantime', async () => {
    world.ask('command');
    world.ask('query');
    await advanceClock(5);
    await world.reply(world.requests[1]);
    await advanceClock(DEADLINES.query * 0.21);
    const [first, second, ...others] = world.sendings(world.requests[0] as RequestState).map(({ headers }) => headers);
    expect([first?.[HEADERS.resent], second?.[HEADERS.resent], others]).toEqual([undefined, '1', []]);
  });

  it('is requested from another partition at once if one replica is unavailable and others answer', async () => {
    for (let count = 0; count < 2; count += 1) {
      world.ask('query');
      await advanceClock(20);
    }
    await world.reply(world.requests[1]);
    await world.reply(world.requests[0], 503);
    expect(world.requests[0]?.endedAt).toEqual([]);
    await advanceClock(20);
    expect(new Set(world.sendings(world.requests[0] as RequestState).map(({ partition }) => partition)).size).toBe(2);
    await world.reply(world.requests[0]);
    expect(world.requests[0]?.response?.status).toBe(200);
  });

  it('is not marked as resent when it is sent again after a refusal: no earlier send waits for memory any more', async () => {
    world.ask('query');
    world.ask('query');
    await advanceClock(5);
    await world.reply(world.requests[1]);
    await world.reply(world.requests[0], 503);
    await advanceClock(5);
    const sent = world.sendings(world.requests[0] as RequestState);
    expect(sent.map(({ headers }) => headers[HEADERS.resent])).toEqual([undefined, undefined]);
  });

  it('is a 503 if as many sends were refused as there are partitions, even while other requests are answered', async () => {
    world.ask('query');
    for (let count = 0; count < 20; count += 1) {
      await advanceClock(5);
      world.ask('query');
      await advanceClock(5);
      await world.reply(world.requests.at(-1));
      await world.reply(world.requests[0], 503);
    }
    expect(world.requests[0]?.response?.status).toBe(503);
    expect(world.sendings(world.requests[0] as RequestState)).toHaveLength(12);
  });

  it('is a 503 if a replica is unavailable and no other request is answered', async () => {
    world.ask('query');
    await advanceClock(20);
    await world.reply(world.requests[0], 503);
    expect(world.requests[0]?.response?.status).toBe(503);
  });

  it('is awaited with only a few resends when no request is answered any more', async () => {
    await world.close();
    // On a busy machine, the real clock shows a ping as unanswered for longer than the 500 ms after which answers count as cut off.
    jest.spyOn(performance, 'now').mockImplementation(() => Date.now());
    world = await openClient(1_000);
    for (let count = 0; count < 400; count += 1) world.ask('query');
    await advanceClock(DEADLINES.query - 1);
    const sends = world.requests.map((one) => world.sendings(one).length);
    const again = sends.reduce((sum, count) => sum + count - 1, 0);
    expect(again).toBeGreaterThanOrEqual(50);
    expect(again).toBeLessThanOrEqual(50 + 400 / 10);
  });

  it('is a 504 exactly at the deadline; for a command with outcome unknown and its idempotency key', async () => {
    world.ask('query');
    world.ask('command');
    world.ask('command', { idempotencyKey: 'mine' });
    await advanceClock(DEADLINES.query - 1);
    expect(world.requests.map(({ endedAt }) => endedAt)).toEqual([[], [], []]);
    await advanceClock(1);
    expect(world.requests[0]?.problem).toMatchObject({ code: 'TIMEOUT', members: {} });
    await advanceClock(DEADLINES.command - DEADLINES.query);
    const unknown = (idempotencyKey: string) => ({ code: 'TIMEOUT', members: { outcome: 'unknown', idempotencyKey } });
    expect(world.requests.slice(1).map(({ problem }) => problem)).toMatchObject([unknown('c-1'), unknown('mine')]);
  });

  it('is a refusal with Retry-After above the limit of pending requests and after shutdown, and TIMEOUT for those pending then', async () => {
    for (let count = 0; count <= MAX_PENDING; count += 1) world.ask('command');
    await flushEventLoop();
    const refused = { code: 'UNAVAILABLE', options: { headers: { 'retry-after': '2' } } };
    expect(world.requests.map(({ problem }) => problem).slice(MAX_PENDING - 1)).toMatchObject([null, refused]);
    const closing = world.client.close();
    world.ask('command');
    await flushEventLoop();
    expect(world.requests.at(-1)?.problem).toMatchObject(refused);
    await closing;
    const unknown = { code: 'TIMEOUT', members: { outcome: 'unknown' } };
    expect(world.requests.slice(0, MAX_PENDING).map(({ problem }) => problem)).toMatchObject(
      Array.from({ length: MAX_PENDING }, () => unknown),
    );
    expect((await rpcPending.get()).values[0]?.value).toBe(0);
  });
});

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { GROUPS, HEADERS, PATTERNS, TOPICS } from '@po/contracts';
import { pino } from 'pino';
import { actorKeys, actors } from '@po/testing/actors';
import { ConsumerLoop } from '../consuming/consumer-loop.js';
import {
  trackedByClock,
  advanceClock,
  advanceUntilSettled,
  useVirtualClock,
  flushEventLoop,
} from '../fixtures/virtual-time.js';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import { clockAhead, messages } from '../metrics.js';
import { Publisher } from '../publishing/publisher.js';
import { ok } from './reply.js';
import { DEADLINES } from './rpc-client.js';
import type { RpcContext } from './rpc-context.js';
import { requestHeaders } from './rpc-headers.js';
import { RpcServer } from './rpc-server.js';

type Kind = 'query' | 'command';

const KINDS = ['query', 'command'] as const;
const TOPIC = { query: TOPICS.queries, command: TOPICS.commands };
const GROUP = { query: GROUPS.queries, command: GROUPS.commands };
const REMAINING_MS = { query: 2_900, command: 7_900 };

describe('a service whose clock differs from that of the caller', () => {
  let kafka: InMemoryKafka;
  let lines: Record<string, unknown>[];
  let handled: { id: string; leftMs: number }[];
  let stop: () => Promise<void>;
  let signer: Awaited<ReturnType<typeof actorKeys>>['signer'];
  let verifier: Awaited<ReturnType<typeof actorKeys>>['verifier'];
  let sequence: number;

  beforeEach(async () => {
    ({ signer, verifier } = await actorKeys());
    verifier.verify = trackedByClock(verifier.verify.bind(verifier));
    [kafka, lines, handled, sequence] = [new InMemoryKafka(), [], [], 0];
    messages.reset();
    clockAhead.reset();
    useVirtualClock();
  });
  afterEach(async () => {
    await stop();
    jest.useRealTimers();
  });

  async function start(): Promise<void> {
    const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
    const replies = new Publisher(kafka, { acks: 'leader', logger });
    const handlerOf = () => (_payload: unknown, context: RpcContext) => {
      handled.push({ id: context.commandId, leftMs: context.deadline - Date.now() });
      return Promise.resolve(ok({}));
    };
    const loops = KINDS.map((kind) => {
      const server = new RpcServer({ group: GROUP[kind], logger, replies, actors: verifier, handlerOf });
      return new ConsumerLoop({
        kafka,
        logger,
        concurrency: 3,
        consumer: { group: GROUP[kind], topics: [TOPIC[kind]], from: 'earliest' },
        queueKeyOf: ({ key }) => key?.toString() ?? null,
        handle: (record, stopped) => server.handle(record, stopped),
      });
    });
    for (const loop of loops) loop.start();
    stop = async () => {
      await advanceUntilSettled(Promise.all([...loops.map((loop) => loop.drain(0)), replies.close()]));
    };
    await until(() => loops.every(({ ready }) => ready === true));
  }

  async function until(probe: () => boolean | Promise<boolean>): Promise<void> {
    for (let ms = 0; !(await probe()); ms += 1) {
      if (ms > 2_000) throw new Error('it did not happen');
      await advanceClock(1);
    }
  }

  /** Sends a request as a gateway whose clock is ahead by `senderAheadMs`. */
  async function ask(kind: Kind): Promise<string> {
    const id = `PO-${(sequence += 1)}`;
    const now = Date.now() + kafka.senderAheadMs;
    const value = JSON.stringify({ poRef: id, ...(kind === 'query' ? { includeLineItems: false } : SUBMIT) });
    const key = kind === 'query' ? null : id;
    const headers = requestHeaders(
      kind === 'query' ? PATTERNS.detail : PATTERNS.transition,
      {
        actorToken: (purpose) => signer.sign(actors.acme, purpose, now),
        ...({ key, requestId: id, traceparent: '', locale: 'en', path: '/' } as const),
      },
      {
        correlationId: `gateway-${id}`,
        commandId: id,
        deadline: now + DEADLINES[kind],
        replyPartition: 0,
        value,
        isResent: false,
      },
    );
    await kafka.producer().send([{ topic: TOPIC[kind], key, value, headers }]);
    return id;
  }

  const outcomes = async (outcome: string) => {
    const { values } = await messages.get();
    return values.filter(({ labels }) => labels.outcome === outcome).reduce((sum, { value }) => sum + value, 0);
  };
  const answered = (id: string) =>
    kafka.records(TOPICS.replies).some(({ headers }) => headers[HEADERS.correlationId] === `gateway-${id}`);
  const setLeaders = (present: boolean) => {
    for (const topic of Object.values(TOPIC))
      for (let partition = 0; partition < 12; partition += 1) kafka.setLeader(topic, partition, present);
  };

  describe.each([-6_000, -3_000, 0, 3_000, 6_000])('by %i ms', (aheadMs) => {
    beforeEach(async () => {
      kafka.senderAheadMs = -aheadMs;
      await start();
    });

    it.each(KINDS)('answers a %s, and knows how long its caller still waits', async (kind) => {
      await advanceClock(1_500);
      const id = await ask(kind);
      await until(() => answered(id));
      const [{ leftMs } = { leftMs: 0 }] = handled;
      expect(leftMs).toBeGreaterThanOrEqual(REMAINING_MS[kind]);
      expect(leftMs).toBeLessThanOrEqual(DEADLINES[kind]);
    });

    it('drops requests that waited 10 s in Kafka during an outage', async () => {
      await advanceClock(1_500);
      const first = await Promise.all(KINDS.map(ask));
      await until(() => first.every(answered));
      for (const kind of KINDS) await ask(kind);
      setLeaders(false);
      await advanceClock(10_000);
      setLeaders(true);
      await until(async () => (await outcomes('expired')) === 2);
      const fresh = await Promise.all(KINDS.map(ask));
      await until(() => fresh.every(answered));
      expect(handled.map(({ id }) => id).toSorted()).toEqual([...first, ...fresh].toSorted());
    });

    it('drops old requests at its start, and answers new ones', async () => {
      await stop();
      for (const kind of KINDS) await ask(kind);
      await advanceClock(15_000);
      await start();
      await until(async () => (await outcomes('expired')) === 2);
      const fresh = await Promise.all(KINDS.map(ask));
      await until(() => fresh.every(answered));
      expect(handled).toHaveLength(2);
    });
  });

  it.each([-60_000, 60_000])('reports a difference of %i ms, and handles no request', async (aheadMs) => {
    kafka.senderAheadMs = -aheadMs;
    await start();
    await advanceClock(1_500);
    for (const kind of KINDS) await ask(kind);
    await until(async () => (await outcomes(aheadMs > 0 ? 'expired' : 'unauthenticated')) === 2);
    await flushEventLoop();
    expect(handled).toEqual([]);
    const { values } = await clockAhead.get();
    expect(values.map(({ value }) => Math.round(value))).toEqual([aheadMs / 1_000, aheadMs / 1_000]);
    expect(lines.filter(({ msg }) => String(msg).includes('differ too much'))).toHaveLength(2);
  });
});

const SUBMIT = { request: { action: 'SUBMIT' } };

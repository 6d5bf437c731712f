import { afterEach, expect, it, jest } from '@jest/globals';
import { GROUPS, HEADERS, PATTERNS, ProblemError, TOPICS, TOPIC_MANIFEST } from '@po/contracts';
import { Health } from '@po/platform';
import fc from 'fast-check';
import { pino } from 'pino';
import { actorKeys, actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { ConsumerLoop } from '../consuming/consumer-loop.js';
import type { RpcContext } from './rpc-context.js';
import { FaultyProcess } from '../fixtures/faulty-process.js';
import { seededRandom } from '@po/testing/seeded-random';
import {
  trackedByClock,
  advanceClock,
  advanceUntilSettled,
  useVirtualClock,
  flushEventLoop,
} from '../fixtures/virtual-time.js';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import { Publisher } from '../publishing/publisher.js';
import { ok } from './reply.js';
import { KafkaRpcClient } from './rpc-client.js';
import { RpcServer } from './rpc-server.js';

const DEADLINES = { query: 600, command: 900 };
const MAX_PENDING = 10;
/** One more send after each fifth of a query's deadline. */
const mostSends = (kind: keyof typeof DEADLINES): number => Math.ceil(DEADLINES[kind] / (0.2 * DEADLINES.query));
const logger = pino({ level: 'silent' });
const { signer, verifier } = await actorKeys();
verifier.verify = trackedByClock(verifier.verify.bind(verifier));
const request = {
  actorToken: (purpose: string) => signer.sign(actors.acme, purpose),
  ...({ requestId: 'r-1', traceparent: '', locale: 'en', path: '/' } as const),
};

interface RequestState {
  id: string;
  kind: 'query' | 'command';
  requestedAt: number;
  full: boolean;
  ends: { at: number; status: number | null; body: string; problem: ProblemError | null }[];
}

/** A client and a service whose processes die and restart, over a Kafka that loses, repeats and delays records. */
class World {
  readonly requests: RequestState[] = [];
  /** Command ids of requests whose effect is stored. A repeated effect counts once, as with the command log. */
  readonly effects = new Set<string>();
  readonly kafka: InMemoryKafka;
  private readonly health = new Health();
  private readonly client: KafkaRpcClient;
  private services: { process: FaultyProcess; loops: ConsumerLoop[]; replies: Publisher }[] = [];
  private calm = true;

  constructor(
    private readonly random: () => number,
    rejected: number,
  ) {
    const faults = { random: () => (this.calm ? 1 : random()), rejected, storedButRejected: 0.1, storedTwice: 0.2 };
    this.kafka = new InMemoryKafka(TOPIC_MANIFEST, faults);
    this.client = new KafkaRpcClient({
      kafka: this.kafka,
      logger,
      health: this.health,
      instanceId: 'gateway-1',
      deadlines: DEADLINES,
      maxPending: MAX_PENDING,
    });
  }

  async open(): Promise<void> {
    await this.client.connect();
    await eventually('the reply partition is verified', () => this.health.notReady().length === 0);
    useVirtualClock();
    this.startService();
    this.calm = false;
  }

  startService(): void {
    const process = new FaultyProcess(this.kafka, {
      random: this.random,
      delayed: 0.3,
      repeated: 0.3,
      commitLost: 0.2,
      commitUnanswered: 0.2,
    });
    const replies = new Publisher(process, { acks: 'leader', logger });
    const loops = [TOPICS.queries, TOPICS.commands].map((topic) => {
      const group = topic === TOPICS.queries ? GROUPS.queries : GROUPS.commands;
      const handlerOf = () => (_payload: unknown, context: RpcContext) => this.handle(context, process);
      const server = new RpcServer({ group, logger, replies, actors: verifier, handlerOf });
      return new ConsumerLoop({
        kafka: process,
        logger,
        concurrency: 3,
        consumer: { group, topics: [topic], from: 'earliest' },
        queueKeyOf: ({ key }) => key?.toString() ?? null,
        handle: (record, stopped) => server.handle(record, stopped),
      });
    });
    for (const loop of loops) loop.start();
    this.services.push({ process, loops, replies });
  }

  async stopService(kill: boolean): Promise<void> {
    for (const { process, loops, replies } of this.services.splice(0)) {
      if (kill) await process.die();
      // A fixed time would not suffice: records queued in the meantime wait for the clock, and closing waits for them.
      await advanceUntilSettled(Promise.all([...loops.map((loop) => loop.drain(0)), replies.close()]));
    }
  }

  ask(kind: 'query' | 'command'): void {
    const id = `PO-${this.requests.length}`;
    const open = this.requests.filter(({ ends }) => ends.length === 0).length;
    const one: RequestState = { id, kind, requestedAt: Date.now(), full: open >= MAX_PENDING, ends: [] };
    this.requests.push(one);
    const payload =
      kind === 'query' ? { poRef: id, includeLineItems: false } : { poRef: id, request: { action: 'SUBMIT' } };
    const pattern = kind === 'query' ? PATTERNS.detail : PATTERNS.transition;
    const end = (status: number | null, body: string, problem: ProblemError | null) =>
      one.ends.push({ at: Date.now(), status, body, problem });
    this.client.request(pattern, payload, { ...request, key: kind === 'query' ? null : id, commandId: id }).then(
      ({ status, body }) => end(status, body.toString(), null),
      (problem: ProblemError) => end(null, '', problem),
    );
  }

  sends({ id, kind }: RequestState): Set<string | undefined> {
    const sent = this.kafka.records(kind === 'query' ? TOPICS.queries : TOPICS.commands);
    return new Set(
      sent
        .filter(({ headers }) => headers[HEADERS.commandId] === id)
        .map(({ headers }) => headers[HEADERS.correlationId]),
    );
  }

  async close(): Promise<void> {
    this.calm = true;
    await this.stopService(false);
    await advanceUntilSettled(this.client.close());
    jest.useRealTimers();
  }

  private async handle({ commandId }: RpcContext, process: FaultyProcess) {
    await flushEventLoop(Math.floor(this.random() * 4));
    if (process.dead || this.random() < 0.1) throw new Error('the store is away');
    this.effects.add(commandId);
    await flushEventLoop(Math.floor(this.random() * 4));
    return ok({ about: commandId });
  }
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('query', 'command'), n: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass'), n: fc.integer({ min: 1, max: 250 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('restart', 'kill', 'rebalance'), n: fc.constant(1) }) },
);

afterEach(() => {
  jest.useRealTimers();
});

it('every request over a faulty Kafka gets exactly one correct answer in time', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.array(step, { minLength: 5, maxLength: 25 }), async (seed, steps) => {
      const world = new World(seededRandom(seed), (Math.abs(seed) % 3) * 0.15);
      await world.open();
      try {
        for (const { do: what, n } of steps) {
          if (what === 'pass') await advanceClock(n);
          else if (what === 'rebalance') world.kafka.rebalance(GROUPS.commands);
          else if (what === 'query' || what === 'command') for (let count = 0; count < n; count += 1) world.ask(what);
          else {
            await world.stopService(what === 'kill');
            world.startService();
          }
          await flushEventLoop();
        }
        await advanceClock(DEADLINES.command);
      } finally {
        await world.close();
      }
      for (const one of world.requests) {
        expect(one.ends).toHaveLength(1);
        const [end] = one.ends;
        const problem = end?.problem;
        expect((end?.at ?? Infinity) - one.requestedAt).toBeLessThanOrEqual(DEADLINES[one.kind]);
        expect(world.sends(one).size).toBeLessThanOrEqual(mostSends(one.kind));
        const outcome = `${one.kind} ${problem ? problem.code : end?.status}`;
        seen.add(outcome);
        // Outcomes are correct: an answer belongs to its request, a refused request had no effect, and a timed-out write may have had one.
        expect(outcome.endsWith('200') && (end?.body !== `{"about":"${one.id}"}` || !world.effects.has(one.id))).toBe(
          false,
        );
        expect(problem?.code === 'UNAVAILABLE' && world.effects.has(one.id)).toBe(false);
        expect(problem?.code === 'UNAVAILABLE' && problem.options.headers?.['retry-after'] !== '2').toBe(false);
        expect(outcome === 'command TIMEOUT' && problem?.members['outcome'] !== 'unknown').toBe(false);
        expect(one.full && problem?.code !== 'UNAVAILABLE').toBe(false);
      }
    }),
    // The example has more commands under way than are allowed, which random steps may not.
    { numRuns: 22, examples: [[0, Array.from({ length: 5 }, () => ({ do: 'command' as const, n: 4 }))]] },
  );
  expect([...seen]).toEqual(
    expect.arrayContaining(['query 200', 'command 200', 'command TIMEOUT', 'command UNAVAILABLE']),
  );
});

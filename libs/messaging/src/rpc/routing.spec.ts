import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { PATTERNS, REPLY_PARTITIONS } from '@po/contracts';
import fc from 'fast-check';
import { pino } from 'pino';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import { ReplyPartitions } from './reply-partitions.js';
import { type Routed, Routing } from './routing.js';
import { Endpoints } from './endpoints.js';

const everywhere = { canReach: () => true };
const PARTITIONS = 12;
const BROKERS = 3;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function open() {
  const replies = new ReplyPartitions({
    kafka: new InMemoryKafka(),
    instanceId: 'gateway-1',
    logger: pino({ level: 'silent' }),
    onReply: () => undefined,
  });
  // Both reply partitions are open and verified, as on a gateway that has run for a while.
  jest
    .spyOn(replies, 'pick')
    .mockImplementation((except) => replies.endpoints.pick(0, { except: except === undefined ? [] : [except] }));
  jest.spyOn(replies, 'partition').mockImplementation((reply) => reply);
  jest.spyOn(replies, 'isCutOff').mockReturnValue(false);
  return { replies, routing: new Routing(replies) };
}

it('one of four sends avoids any single failing broker', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }),
      fc.nat(BROKERS - 1),
      fc.nat(REPLY_PARTITIONS),
      (key, dead, firstReplyBroker) => {
        const { routing } = open();
        const sends: Routed[] = [];
        const brokerOfReply = (reply: number) => (firstReplyBroker + reply) % BROKERS;
        const works = ({ route }: Routed) =>
          route.partition % BROKERS !== dead && brokerOfReply(route.reply) !== dead && route.partition < PARTITIONS;
        for (let count = 0; count < 4; count += 1) {
          jest.advanceTimersByTime(600);
          const route = routing.pick(PATTERNS.transition, key, sends, everywhere);
          sends.push({ correlationId: String(count), route });
        }
        expect(sends.some(works)).toBe(true);
      },
    ),
  );
});

it('sends of a key keep their partition until only that one stops answering, and return after its back-off', () => {
  const { routing } = open();
  const first = { correlationId: '1', route: routing.pick(PATTERNS.transition, 'PO-1', [], everywhere) };
  expect(routing.pick(PATTERNS.transition, 'PO-1', [], everywhere).partition).toBe(first.route.partition);
  jest.advanceTimersByTime(600);
  const second = { correlationId: '2', route: routing.pick(PATTERNS.transition, 'PO-1', [first], everywhere) };
  expect(second.route.partition).not.toBe(first.route.partition);
  routing.answered(PATTERNS.transition, [first, second], '2');
  expect(routing.pick(PATTERNS.transition, 'PO-1', [], everywhere).partition).toBe(second.route.partition);
  jest.advanceTimersByTime(2_001);
  expect(routing.pick(PATTERNS.transition, 'PO-1', [], everywhere).partition).toBe(first.route.partition);
});

it('routing avoids a partition whose requests fail while those of others are answered, even without a resend', () => {
  const { routing } = open();
  const choose = (key: string) => routing.pick(PATTERNS.transition, key, [], everywhere);
  const sent = (key: string): Routed => ({ correlationId: key, route: choose(key) });
  const failing = sent('PO-1');
  routing.failed(PATTERNS.transition, failing);
  expect(choose('PO-1').partition).toBe(failing.route.partition);
  const other = ['PO-2', 'PO-3', 'PO-4']
    .map(sent)
    .find(({ route }) => route.partition !== failing.route.partition) as Routed;
  jest.advanceTimersByTime(10);
  routing.answered(PATTERNS.transition, [other], other.correlationId);
  routing.failed(PATTERNS.transition, failing);
  expect(choose('PO-1').partition).not.toBe(failing.route.partition);
  jest.advanceTimersByTime(2_001);
  expect(choose('PO-1').partition).toBe(failing.route.partition);
});

it('routing avoids at most half of the partitions because of failed requests', () => {
  const { routing } = open();
  const keys = Array.from({ length: 200 }, (_, index) => `PO-${index}`);
  const chosen = () => keys.map((key) => routing.pick(PATTERNS.transition, key, [], everywhere));
  const [first, ...others] = chosen().map((route): Routed => ({ correlationId: '', route }));
  jest.advanceTimersByTime(10);
  routing.answered(PATTERNS.transition, [first as Routed], '');
  for (const sent of others) routing.failed(PATTERNS.transition, sent);
  expect(new Set(chosen().map(({ partition }) => partition)).size).toBe(PARTITIONS / 2);
});

it('a tenth of the requests may be resent while all are slow, and all requests of a partition without a leader', () => {
  const { routing } = open();
  const route = { partition: 0, reply: 0, replyPartition: 0, sentAt: performance.now(), refused: false };
  const count = (times: number, isCutOff: boolean) =>
    Array.from({ length: times }, () => routing.mayResend(route, { anyway: true, isCutOff })).filter(Boolean).length;
  for (let requests = 0; requests < 100; requests += 1) routing.pick(PATTERNS.transition, null, [], everywhere);
  expect(count(100, false)).toBe(50);
  expect(count(100, true)).toBe(100);
  for (let requests = 0; requests < 105; requests += 1) routing.pick(PATTERNS.transition, null, [], everywhere);
  expect(count(100, false)).toBe(10);
});

it('partitions without a leader are not used', () => {
  const { routing } = open();
  const { partition } = routing.pick(PATTERNS.transition, 'PO-1', [], everywhere);
  const without = { canReach: (_topic: string, asked: number) => asked !== partition };
  expect(routing.pick(PATTERNS.transition, 'PO-1', [], without).partition).toBe((partition + 1) % PARTITIONS);
  const nowhere = { canReach: () => false };
  expect(routing.pick(PATTERNS.transition, 'PO-1', [], nowhere).partition).toBe(partition);
});

it('a repeatedly failing partition is avoided for up to 16 s, and used again at once when it answers', () => {
  const endpoints = new Endpoints(2);
  const avoided: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    endpoints.eject(0);
    const since = performance.now();
    while (endpoints.pick(0) === 1) jest.advanceTimersByTime(500);
    avoided.push(Math.round((performance.now() - since) / 1_000));
  }
  expect(avoided).toEqual([2, 4, 8, 16, 16]);
  endpoints.eject(0);
  endpoints.answered(0);
  expect(endpoints.pick(0)).toBe(0);
});

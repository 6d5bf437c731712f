import { describe, expect, it } from '@jest/globals';
import { TOPICS } from '@po/contracts';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { overridePort } from '@po/testing/override-port';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import { SupervisedConsumer } from './supervised-consumer.js';

/**
 * A supervised consumer of users, whose handler throws at the next records after `breakNext`. `slow`: its start never resolves;
 * `refused`: how many starts reject.
 */
function open({
  partitions,
  slow = false,
  refused = 0,
}: { partitions?: number[]; slow?: boolean; refused?: number } = {}) {
  const inner = new InMemoryKafka();
  const log = { joined: 0, ended: 0, stopped: 0, records: [] as string[] };
  const lines: string[] = [];
  let broken = false;
  const kafka = overridePort(inner, {
    consumer: (options) => {
      const port = inner.consumer(options);
      return {
        ...port,
        start: async (handlers) => {
          if (log.stopped < refused) throw new Error('the topic does not exist');
          await port.start(handlers);
          if (slow) await new Promise(() => undefined);
        },
        stop: () => {
          log.stopped += 1;
          return port.stop();
        },
      };
    },
  });
  const consumer = new SupervisedConsumer({
    kafka,
    logger: pino({ level: 'warn' }, { write: (line) => lines.push(line) }),
    consumer: {
      group: 'g',
      topics: [TOPICS.users],
      from: 'earliest',
      ...(partitions ? { partitions } : {}),
    },
    handlersOf: () => ({
      onRecords: (records) => {
        if (broken) {
          broken = false;
          throw new Error('unexpected');
        }
        log.records.push(...records.map(({ value }) => String(value)));
      },
      onAssigned: () => (log.joined += 1),
    }),
    onEnd: () => (log.ended += 1),
  });
  /** Sends each value to a separate partition. */
  const send = (...values: string[]) =>
    inner
      .producer()
      .send(values.map((value, partition) => ({ topic: TOPICS.users, key: null, value, headers: {}, partition })));
  const breakNext = () => {
    broken = true;
  };
  return { consumer, log, lines, send, breakNext };
}

describe('a supervised consumer', () => {
  it('is stopped when a handler throws, and replaced by a consumer that reads the unhandled records again', async () => {
    const { consumer, log, send, breakNext } = open();
    consumer.start();
    await eventually('it has joined', () => log.joined === 1);
    breakNext();
    await send('1', '2');
    await eventually('it was stopped', () => log.stopped === 1);
    expect(log).toEqual({ joined: 1, ended: 1, stopped: 1, records: [] });
    await eventually('another consumer has joined', () => log.joined === 2);
    await eventually('the new consumer reads', () => log.records.length === 2);
    await consumer.leave();
    expect(log).toMatchObject({ joined: 2, ended: 2, stopped: 2 });
  });

  it('names the reason of failed starts until a start succeeds, and logs only the 1st and 2nd of three', async () => {
    const { consumer, log, lines } = open({ refused: 3 });
    consumer.start();
    await eventually('the reason is named', () => consumer.failure === 'the topic does not exist');
    await eventually('it has joined', () => log.joined === 1);
    await eventually('no reason is named', () => consumer.failure === null);
    expect(lines.filter((line) => line.includes('a consumer could not start; trying again'))).toHaveLength(2);
    await consumer.leave();
  });

  it('is not replaced after stopReplacing()', async () => {
    const { consumer, log, send, breakNext } = open();
    consumer.start();
    await eventually('it has joined', () => log.joined === 1);
    consumer.stopReplacing();
    await send('1');
    await eventually('it still reads', () => log.records.length === 1);
    breakNext();
    await send('2');
    await eventually('it was stopped', () => log.stopped === 1);
    await consumer.leave();
    expect(log).toMatchObject({ joined: 1, ended: 1, stopped: 1 });
  });

  it('can leave during its start if it reads fixed partitions without a group', async () => {
    const { consumer, log } = open({ partitions: [0], slow: true });
    consumer.start();
    await eventually('it has joined', () => log.joined === 1);
    await consumer.leave();
    expect(log).toMatchObject({ ended: 1, stopped: 1 });
  });
});

import { describe, expect, it } from '@jest/globals';
import { TOPICS } from '@po/contracts';
import { pino } from 'pino';
import { eventually } from '../../../../test/support/eventually.js';
import { portOver } from '../../../../test/support/port-over.js';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import type { ConsumerHandlers, ConsumerPort } from '../kafka-port.js';
import { SupervisedConsumer } from './supervised-consumer.js';

/** A supervised consumer of users, whose present life can be made to crash. `slow`: a start never ends by itself. */
function open({ slot, slow = false }: { slot?: number; slow?: boolean } = {}) {
  const inner = new InMemoryKafka();
  const lives: { port: ConsumerPort; handlers: ConsumerHandlers }[] = [];
  const log = { joined: 0, ended: 0, stopped: 0, records: [] as string[] };
  const kafka = portOver(inner, {
    consumer: (options) => {
      const port = inner.consumer(options);
      return {
        ...port,
        start: async (handlers) => {
          lives.push({ port, handlers });
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
    ...{ kafka, logger: pino({ level: 'silent' }) },
    consumer: { group: 'g', topics: [TOPICS.users], from: 'earliest', ...(slot === undefined ? {} : { slot }) },
    handlersOf: () => ({
      onRecords: (records) => log.records.push(...records.map(({ value }) => String(value))),
      onAssigned: () => (log.joined += 1),
      onRebalancing: () => undefined,
    }),
    onEnd: () => (log.ended += 1),
  });
  const send = (value: string) =>
    inner.producer().send([{ topic: TOPICS.users, key: null, value, headers: {}, partition: 0 }]);
  return { consumer, log, send, crash: () => lives.at(-1)?.handlers.onCrash(new Error('it crashed')) };
}

describe('a supervised consumer', () => {
  it('is stopped and made anew when it crashes, until it is left', async () => {
    const { consumer, log, send, crash } = open();
    consumer.start();
    await eventually('it has joined', () => log.joined === 1);
    crash();
    await eventually('another one has joined', () => log.joined === 2);
    expect(log).toMatchObject({ ended: 1, stopped: 1 });
    await send('1');
    await eventually('that one reads', () => log.records.length === 1);
    await consumer.leave();
    expect(log).toMatchObject({ joined: 2, ended: 2, stopped: 2 });
  });

  it('is not made anew once it may end', async () => {
    const { consumer, log, send, crash } = open();
    consumer.start();
    await eventually('it has joined', () => log.joined === 1);
    consumer.letEnd();
    await send('1');
    await eventually('it still reads', () => log.records.length === 1);
    crash();
    await consumer.leave();
    expect(log).toMatchObject({ joined: 1, ended: 1, stopped: 1 });
  });

  it('with a slot of its own is left in the middle of a start', async () => {
    const { consumer, log } = open({ slot: 0, slow: true });
    consumer.start();
    await eventually('it has joined', () => log.joined === 1);
    await consumer.leave();
    expect(log).toMatchObject({ ended: 1, stopped: 1 });
  });
});

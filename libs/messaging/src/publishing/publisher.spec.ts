import { afterEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { overridePort } from '@po/testing/override-port';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import type { KafkaPort, OutgoingRecord } from '../kafka-port.js';
import { Publisher } from './publisher.js';

const TOPIC = 'things.v1';
const MIB = 1024 * 1024;
const record = (partition: number, value = String(partition)): OutgoingRecord => ({
  topic: TOPIC,
  partition,
  key: null,
  value,
  headers: {},
});

/** Two brokers: one leads the even partitions, the other the odd ones. Sends to a broker can be held. */
class Brokers {
  readonly kafka = new InMemoryKafka([{ topic: TOPIC, partitions: 4, retention: 1, maxMessageBytes: 8 * MIB }]);
  readonly requests: OutgoingRecord[][] = [];
  private held: PromiseWithResolvers<void>[] = [Promise.withResolvers(), Promise.withResolvers()];

  constructor() {
    for (const { resolve } of this.held) resolve();
  }

  get port(): KafkaPort {
    const { kafka } = this;
    return overridePort(kafka, {
      producer: () => ({
        ...kafka.producer(),
        brokerOf: ({ partition = 0 }) => partition % 2,
        send: async (records) => {
          this.requests.push([...records]);
          await Promise.all(records.map(({ partition = 0 }) => this.held[partition % 2]?.promise));
          await kafka.producer().send(records);
        },
      }),
    });
  }

  hold(broker: number): void {
    this.held[broker] = Promise.withResolvers();
  }

  release(broker: number, error?: Error): void {
    if (error) this.held[broker]?.reject(error);
    else this.held[broker]?.resolve();
  }
}

describe('a publisher', () => {
  const opened: Publisher[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((publisher) => publisher.close())));

  const open = (brokers: Brokers) => {
    const publisher = new Publisher(brokers.port, { acks: 'all', logger: pino({ level: 'silent' }) });
    opened.push(publisher);
    return publisher;
  };

  it('continues sending to one broker while another hangs, and reports the hanging one as not reachable', async () => {
    const brokers = new Brokers();
    const publisher = open(brokers);
    await publisher.send(record(0));
    brokers.hold(1);
    const held = publisher.send(record(1));
    await publisher.send(record(2));
    await publisher.send(record(0));
    await eventually('the other broker is known to hang', () => !publisher.canReach(TOPIC, 3));
    expect(publisher.canReach(TOPIC, 2)).toBe(true);
    brokers.release(1);
    await held;
    await eventually('it is reached again', () => publisher.canReach(TOPIC, 3));
  });

  it('waits for a broker, and logs only the 1st and 2nd of three failed attempts', async () => {
    const lines: string[] = [];
    const logger = pino({}, { write: (line) => lines.push(line) });
    let attempts = 0;
    const port = overridePort(new InMemoryKafka(), {
      producer: () => ({
        ...new InMemoryKafka().producer(),
        connect: async () => {
          attempts += 1;
          if (attempts <= 3) throw new Error('no broker answers');
        },
      }),
    });
    const publisher = new Publisher(port, { acks: 'all', logger });
    opened.push(publisher);
    publisher.connect();
    await eventually('it is connected', () => publisher.disconnectedForMs === 0 && attempts === 4);
    expect(lines).toHaveLength(2);
  });

  it('rejects a record that a broker did not accept, and sends the records queued behind it', async () => {
    const brokers = new Brokers();
    const publisher = open(brokers);
    await publisher.send(record(0));
    brokers.hold(1);
    const lost = publisher.send(record(1)).catch((error: Error) => error.message);
    await eventually('the send is pending', () => brokers.requests.length === 2);
    const behind = publisher.send(record(3));
    brokers.release(1, new Error('the connection broke'));
    expect(await lost).toBe('the connection broke');
    brokers.hold(1);
    brokers.release(1);
    await behind;
    expect(brokers.kafka.records(TOPIC).map(({ partition }) => partition)).toEqual([0, 3]);
  });

  it('sends at most 4 MiB per request, for any number of partitions', async () => {
    const brokers = new Brokers();
    const publisher = open(brokers);
    await publisher.send(record(0));
    const values = Array.from({ length: 40 }, (_, index) =>
      publisher.send({ ...record(0, 'x'.repeat(400_000)), key: String(index), partition: (index % 2) * 2 }),
    );
    await Promise.all(values);
    const sizes = brokers.requests.map((records) => records.reduce((sum, { value }) => sum + (value?.length ?? 0), 0));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(4 * MIB);
    expect(brokers.kafka.records(TOPIC)).toHaveLength(41);
  });

  it('does not send a record that was withdrawn in time, and reports the withdrawal', async () => {
    const brokers = new Brokers();
    const publisher = open(brokers);
    await publisher.send(record(0));
    brokers.hold(1);
    const first = publisher.enqueue(record(1));
    await eventually('the send is pending', () => brokers.requests.length === 2);
    const second = publisher.enqueue(record(3));
    second.done.catch(() => undefined);
    expect([first.withdraw(), second.withdraw()]).toEqual([false, true]);
    brokers.release(1);
    await first.done;
    await publisher.send(record(2));
    expect(
      brokers.kafka
        .records(TOPIC)
        .map(({ partition }) => partition)
        .toSorted((a, b) => a - b),
    ).toEqual([0, 1, 2]);
  });
});

import { expect, it } from '@jest/globals';
import { HEADERS } from '@po/contracts';
import { pino } from 'pino';
import { z } from 'zod';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import { Publisher } from '../publishing/publisher.js';
import { EventConsumer } from './event-consumer.js';

it('says once why many events wait, not once for each of them', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  let tried = 0;
  const events = new EventConsumer({
    ...{ group: 'things' as never, logger, typeHeader: HEADERS.cloudEventType, schemas: { thing: z.unknown() } },
    deadLetters: new Publisher(new InMemoryKafka(), { acks: 'all', logger }),
    handlerOf: () => () => {
      tried += 1;
      return Promise.reject(new Error('the store is away'));
    },
  });
  const record = (offset: number) => ({
    ...{ topic: 'things.v1', partition: 0, offset: String(offset), key: null, value: Buffer.from('{}') },
    ...{ headers: { [HEADERS.cloudEventType]: 'thing' }, rawHeaders: {}, timestamp: 0 },
  });
  await Promise.all(Array.from({ length: 50 }, (_, offset) => events.handle(record(offset), () => tried >= 50)));
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['an event could not be handled yet']);
});

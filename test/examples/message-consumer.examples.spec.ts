import { appendFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Message, TOPICS } from '@po/contracts';
import { EXAMPLES } from '../../deploy/local/example-messages.js';
import { type World, openWorld } from '../e2e/world.js';
import { eventually } from '@po/testing/eventually';
import { sendRecords } from '../support/send-records.js';
import { readStack, stackFolder } from '../support/stack.js';
import { Consumer } from './consumer.js';

const PROGRAM = {
  command: process.execPath,
  args: ['--no-warnings', join(EXAMPLES, 'consumers/typescript/messages.ts')],
};

describe('the example consumer of messages', () => {
  let world: World;
  let consumer: Consumer;
  let volume: string;
  beforeAll(async () => {
    world = openWorld();
    const folder = await mkdtemp(join(stackFolder(), 'messages-'));
    volume = join(folder, 'volume');
    consumer = new Consumer('messages', PROGRAM, { folder, kafkaBrokers: readStack().kafkaBrokers });
  });
  afterEach(() => consumer.end('SIGKILL'));

  it('stores each message for both sides once, despite kills, failed writes and duplicate records', async () => {
    const { poNumber } = await world.importOrder();
    const write = async (as: 'buyer' | 'vendor:ACME', body: string, visibility = 'all') => {
      const path = `/purchase-orders/${poNumber}/messages`;
      return (await world.as(as).post<Message>(path, { body, visibility })).body;
    };
    const kept = () =>
      readFileSync(consumer.file, 'utf8')
        .split('\n')
        .filter((line) => line.includes(poNumber))
        .map((line) => (JSON.parse(line) as Message).body);
    const has = (body: string) => eventually(`the file has ${body}`, () => kept().includes(body));

    await write('vendor:ACME', 'first');
    await write('buyer', 'not for them', 'internal');
    symlinkSync(join(volume, 'messages.ndjson'), consumer.file);
    consumer.start();
    expect(await consumer.ended()).toBe(1);
    expect(consumer.output).toMatch(/^Error: ENOENT/m);
    mkdirSync(volume);
    consumer.start();
    await has('first');
    await consumer.end('SIGKILL');
    // As if the kill had happened in the middle of a line.
    appendFileSync(consumer.file, '{"id":"01');
    const second = await write('buyer', 'second');
    consumer.start();
    await has('second');

    const [record] = (await world.records(TOPICS.messages, poNumber)).filter(({ id }) => id === second.id);
    const headers = { ce_type: 'po.message-posted.v1' };
    const values = [JSON.stringify(record), '{"id"', JSON.stringify({ ...record, visibility: 'finance', id: 'x' })];
    await sendRecords(
      world.kafka,
      values.map((value) => ({ topic: TOPICS.messages, key: poNumber, headers, value })),
    );
    await write('vendor:ACME', 'third');
    await has('third');
    expect(kept()).toEqual(['first', 'second', 'third']);
    expect(consumer.output).toContain('cannot read');
  });
});

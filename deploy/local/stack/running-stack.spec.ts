import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { recordProcesses } from '../processes/leftovers.js';
import { runningBrokers } from './running-stack.js';

const before = { ...process.env };
afterEach(() => {
  process.env = before;
});

it('a command uses the brokers of the running stack, but those in KAFKA_BROKERS if it is set', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'po-brokers-'));
  process.env = { ...before, PO_LOCAL_DIR: dir, KAFKA_BROKERS: '' };
  await writeFile(join(dir, 'stack.json'), JSON.stringify({ kafkaBrokers: '127.0.0.1:1' }));
  recordProcesses(dir, []);
  expect(runningBrokers()).toBe('127.0.0.1:1');
  process.env['KAFKA_BROKERS'] = 'kafka.example:9093';
  expect(runningBrokers()).toBe('kafka.example:9093');
  await rm(dir, { recursive: true });
});

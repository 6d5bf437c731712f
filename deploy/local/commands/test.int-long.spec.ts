import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { childEnvironment } from '../config.js';
import { run } from '../processes/run.js';

const PROGRAM = new URL('../dist/commands/test.js', import.meta.url).pathname;

// The tests of an older Kafka start their own broker, which keeps running if the tests are killed.
it('an interrupted test run leaves no process and no file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'po-interrupted-'));
  const running = async () => (await run('ps', ['-eo', 'args'])).split('\n').filter((line) => line.includes(folder));
  const child = spawn(process.execPath, [PROGRAM, '--tier', 'integration-long', 'older-kafka'], {
    env: childEnvironment({ TMPDIR: folder, KAFKA_BROKERS: null, DATABASE_URL: null, REDIS_URL: null }),
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const paths = () => readdir(folder, { recursive: true });
  const isStarting = async () => (await paths()).some((path) => /po-older-kafka-.*kafka\.log$/.test(path));
  await eventually('the older Kafka starts', isStarting, { timeoutMs: 90_000 });
  expect((await running()).length).toBeGreaterThan(3);
  child.kill();
  expect([await exited, await running(), await readdir(folder)]).toEqual([[130, null], [], []]);
  await rm(folder, { recursive: true });
});

it('a test run reads the value of an option after a "="', async () => {
  await expect(run(process.execPath, [PROGRAM, '--tier=nothing'])).rejects.toThrow('not "nothing"');
});

it('a test run with --help prints its options and runs no test', async () => {
  await expect(run(process.execPath, [PROGRAM, '--help'])).rejects.toThrow('the options are --tier');
});

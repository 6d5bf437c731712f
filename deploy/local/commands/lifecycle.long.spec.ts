import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';

const LIFECYCLE = new URL('../dist/commands/lifecycle.js', import.meta.url).href;
// Keeps writing while it stops, like the logs of services, and by then a second stop request would no longer wait.
const PROGRAM = `
  import { stopOnSignal } from ${JSON.stringify(LIFECYCLE)};
  const lines = setInterval(() => console.log('a line'), 10);
  const stop = async () => {
    const later = performance.now() + 2_000;
    performance.now = () => later;
    await new Promise((resolve) => process.stdout.once('error', resolve));
    clearInterval(lines);
    process.send('stopped');
  };
  stopOnSignal({ stop, kill: () => process.send('killed') });
`;

it('a command stops in order when its output is no longer read', async () => {
  const args = ['--input-type=module', '--eval', PROGRAM];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  const message = once(child, 'message');
  const exited = once(child, 'exit');
  child.stdout?.destroy();
  expect([await message, await exited]).toEqual([
    ['stopped', undefined],
    [0, null],
  ]);
});

it.each([
  ['its result', 'main', 0],
  ['its error', "() => main().then(() => Promise.reject(new Error('an error')))", 1],
  [
    'a signal',
    '() => { stopOnSignal({ stop: main, kill: () => {} }); process.kill(process.pid); return new Promise(() => {}) }',
    0,
  ],
])('a command that ends by %s writes all its output, even if the reader is slow', async (_end, run, status) => {
  const program = `
    import { runCommand, stopOnSignal } from ${JSON.stringify(LIFECYCLE)};
    const main = async () => {
      for (const stream of [process.stdout, process.stderr]) stream.write('x'.repeat(4_000_000));
      process.send('written');
      return 0;
    };
    await runCommand(${run});
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const exited = once(child, 'exit');
  await once(child, 'message');
  const [printed, errors] = await Promise.all([text(child.stdout as Readable), text(child.stderr as Readable)]);
  expect([printed.length, errors.replace('an error\n', '').length, await exited]).toEqual([
    4_000_000,
    4_000_000,
    [status, null],
  ]);
});

it('a command ends with its status although the reader of its output is gone', async () => {
  const program = `
    import { runCommand } from ${JSON.stringify(LIFECYCLE)};
    await runCommand(async () => {
      process.stdout.write('x'.repeat(4_000_000));
      return 3;
    });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await once(child.stdout as Readable, 'data');
  child.stdout?.destroy();
  expect(await exited).toEqual([3, null]);
});

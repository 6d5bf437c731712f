import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

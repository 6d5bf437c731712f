import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';

const LIFECYCLE = new URL('../dist/commands/lifecycle.js', import.meta.url).href;
// Writes on, as the logs of services do; stopping takes a moment, and tells what it does.
const PROGRAM = `
  import { stopOnSignal } from ${JSON.stringify(LIFECYCLE)};
  const lines = setInterval(() => console.log('a line'), 10);
  const stop = async () => {
    console.log('stopping');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    clearInterval(lines);
    process.send('stopped');
  };
  stopOnSignal({ stop, kill: () => process.send('killed') });
`;

it('stops in order when nobody reads its output any more', async () => {
  const args = ['--input-type=module', '--eval', PROGRAM];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  const told = once(child, 'message');
  const exited = once(child, 'exit');
  child.stdout?.destroy();
  expect([await told, await exited]).toEqual([
    ['stopped', undefined],
    [0, null],
  ]);
});

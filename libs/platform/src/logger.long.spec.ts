import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';

/** Logs until a line is dropped, but at most 32 MB, and reports on stderr how many were dropped. */
const PROGRAM = `
  import { setImmediate } from 'node:timers/promises';
  import { createLogger, metricsRegistry } from '@po/platform';
  const logger = createLogger('test', 'info');
  const counter = metricsRegistry.getSingleMetric('log_lines_dropped_total');
  let dropped = 0;
  for (let lines = 0; dropped === 0 && lines < 32_000; lines += 1) {
    logger.info({ filler: 'x'.repeat(1_000) });
    await setImmediate();
    dropped = (await counter.get()).values[0].value;
  }
  console.error(dropped);`;

let child: ChildProcess;
afterEach(() => void child.kill('SIGKILL'));

function run(ending: string, stdout: 'pipe' | number): ChildProcess {
  const program = ['--input-type=module', '--eval', PROGRAM + ending];
  return spawn(process.execPath, program, {
    stdio: ['ignore', stdout, 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
}

describe('standard output', () => {
  it.each(['refuses every write', 'is not read'])(
    'that %s costs lines, but bounded memory, and the process still ends',
    async (fault) => {
      const file = openSync(new URL(import.meta.url), 'r');
      child = run("logger.fatal('the end'); process.exit(0);", fault === 'is not read' ? 'pipe' : file);
      closeSync(file);
      const [dropped, exit] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
      expect([Number(dropped), exit]).toEqual([1, [0, null]]);
    },
  );

  it('that is read again gets later lines', async () => {
    child = run("setInterval(() => logger.info({ filler: 'x'.repeat(1_000) }, 'later'), 10);", 'pipe');
    await once(child.stderr!, 'data');
    let last = '';
    for await (const chunk of child.stdout!) {
      last = last.slice(-100) + String(chunk);
      if (last.includes('"msg":"later"')) break;
    }
    expect(last).toContain('"msg":"later"');
  });
});

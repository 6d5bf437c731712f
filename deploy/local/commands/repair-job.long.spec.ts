import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { REPOSITORY } from '../repository.js';

it('runJob forwards a signal to the job and waits until the job ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'po-job-'));
  const job = join(folder, 'job.mjs');
  await writeFile(
    job,
    `process.on('SIGTERM', () => process.stdout.write('ended\\n', () => process.exit(3)));
     setInterval(() => {}, 1_000);
     console.error('runs');`,
  );
  const runs = new URL('../dist/commands/repair-job.js', import.meta.url).href;
  const program = `import { runJob } from '${runs}'; process.exit(await runJob('${relative(REPOSITORY, job)}', [], {}));`;
  const command = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, exited] = [text(command.stdout), once(command, 'exit')];
  await once(command.stderr, 'data');
  command.kill();
  expect([await printed, await exited]).toEqual(['ended\n', [3, null]]);
  await rm(folder, { recursive: true });
});

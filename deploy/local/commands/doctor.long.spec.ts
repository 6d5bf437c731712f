import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { childEnvironment } from '../config.js';
import { run } from '../processes/run.js';

const PROGRAM = new URL('../dist/commands/doctor.js', import.meta.url).pathname;
const doctor = (variables: Record<string, string>) =>
  run(process.execPath, ['--no-warnings', PROGRAM], { env: childEnvironment(variables) }).then(String, String);

it('the doctor reports an invalid setting or an unreadable stack.json in one line', async () => {
  expect(await doctor({ PO_INFRA: 'dokcer' })).toMatch(
    /:\nPO_INFRA must be one of external, docker, embedded, not "dokcer"$/,
  );
  const dir = await mkdtemp(join(tmpdir(), 'po-doctor-'));
  await writeFile(join(dir, 'stack.json'), '');
  expect(await doctor({ PO_LOCAL_DIR: dir })).toMatch(/:\n.*JSON.*$/);
  await rm(dir, { recursive: true });
});

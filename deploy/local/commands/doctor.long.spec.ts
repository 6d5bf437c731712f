import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { childEnvironment } from '../config.js';
import { recordProcesses } from '../processes/leftovers.js';
import { HOST } from '../processes/ports.js';
import { run } from '../processes/run.js';

const PROGRAM = new URL('../dist/commands/doctor.js', import.meta.url).pathname;
const doctor = (variables: Record<string, string>) =>
  run(process.execPath, ['--no-warnings', PROGRAM], { env: childEnvironment(variables) }).then(String, String);

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'po-doctor-'));
});
afterEach(() => rm(dir, { recursive: true }));

it('the doctor reports an invalid setting or an unreadable stack.json in one line', async () => {
  expect(await doctor({ PO_INFRA: 'dokcer' })).toMatch(
    /:\nPO_INFRA must be one of external, docker, embedded, not "dokcer"$/,
  );
  await writeFile(join(dir, 'stack.json'), '');
  expect(await doctor({ PO_LOCAL_DIR: dir })).toMatch(/:\n.*JSON.*$/);
});

describe('the doctor, with the stack.json of a stack whose gateway and Redis do not answer', () => {
  let silent: Server;
  beforeEach(async () => {
    silent = createServer();
    await new Promise<void>((resolve) => void silent.listen(0, HOST, resolve));
    const address = `${HOST}:${(silent.address() as AddressInfo).port}`;
    const stack = {
      gatewayUrl: `http://${address}`,
      gatewayUrls: [],
      portalUrl: null,
      // Nothing listens on port 1.
      kafkaBrokers: `${HOST}:1`,
      databaseUrls: {},
      redisUrl: `redis://${address}`,
      jwksUrl: `http://${HOST}:1`,
      managementUrls: { gateway: [`http://${address}`] },
    };
    await writeFile(join(dir, 'stack.json'), JSON.stringify(stack));
  });
  afterEach(() => void silent.close());

  it('names each of them if the stack runs', async () => {
    recordProcesses(dir, []);
    const printed = await doctor({ PO_LOCAL_DIR: dir });
    expect(printed).toContain(`a stack runs from ${dir}`);
    expect(printed).toMatch(/^FAIL {2}Redis +no answer within \d+ s$/m);
    expect(printed).toMatch(/^FAIL {2}gateway +no answer within \d+ s$/m);
  });

  it('does not take it for a running stack after a reboot, when other processes have the recorded pids', async () => {
    const recorded = [{ name: 'runner', pid: process.pid, since: 'an earlier boot' }];
    await writeFile(join(dir, 'started-processes.json'), JSON.stringify(recorded));
    const printed = await doctor({ PO_LOCAL_DIR: dir });
    expect(printed).toContain(`no stack runs in ${dir}`);
    expect(printed).not.toContain('a stack runs from');
  });
});

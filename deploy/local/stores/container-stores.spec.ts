import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Processes } from '../processes/processes.js';
import { containerStores } from './container-stores.js';

const ENGINE = ['DOCKER_HOST', 'TESTCONTAINERS_DOCKER_SOCKET_OVERRIDE'];
const path = process.env['PATH'];
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'po-container-stores-'));
  process.env['PATH'] = `${dir}:${path}`;
  for (const name of ENGINE) delete process.env[name];
});
afterEach(() => rm(dir, { recursive: true }));

/** Address of the engine and socket for testcontainers, with a docker command whose context has this address. */
async function engineWith(address: string): Promise<unknown[]> {
  await writeFile(join(dir, 'docker'), `#!/bin/sh\necho ${address}\n`, { mode: 0o755 });
  const step = () => Promise.reject(new Error('no container starts here'));
  const starting = containerStores({ dir, processes: new Processes(dir), step, fresh: false });
  await expect(starting).rejects.toThrow('no container starts here');
  return ENGINE.map((name) => process.env[name]);
}

it.each([
  ['on this machine', 'unix:///run/user/1000/docker.sock', undefined],
  ['on this machine without systemd', 'unix:///home/me/.docker/run/docker.sock', undefined],
  [
    'in a virtual machine, in which its socket has the usual path',
    'unix:///home/me/docker.sock',
    '/var/run/docker.sock',
  ],
])("containerStores uses the engine of the docker command's context, %s", async (_where, address, socket) => {
  expect(await engineWith(address)).toEqual([address, socket]);
});

it('containerStores keeps the engine of DOCKER_HOST', async () => {
  process.env['DOCKER_HOST'] = 'tcp://127.0.0.1:1';
  expect(await engineWith('unix:///home/me/docker.sock')).toEqual(['tcp://127.0.0.1:1', undefined]);
});

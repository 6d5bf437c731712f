import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Processes } from '../processes/processes.js';
import { reservePorts } from '../processes/ports.js';
import { startStack } from './stack.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'po-stack-'));
});
afterEach(() => rm(dir, { recursive: true }));

const start = (port: number) =>
  startStack({
    dir,
    port,
    replicas: 1,
    stores: {
      kafkaBrokers: '',
      databaseUrl: '',
      redisUrl: '',
      pids: () => ({ kafka: null, postgres: null, redis: null }),
    },
    identity: { jwksUrl: null, issuer: '', audience: '' },
    processes: new Processes(dir),
    step: () => Promise.reject(new Error('the start went on')),
  });

it('startStack refuses a gateway port on which this process listens to reserve other ports', async () => {
  const { jwks } = await reservePorts(dir, ['jwks']);
  await expect(start(jwks - (jwks % 100))).rejects.toThrow(
    /^port \d+00 is in use or not allowed: set PORT to another one$/,
  );
});

it('startStack takes another port for the identity provider if a gateway gets the one of the last start', async () => {
  const { jwks: port } = await reservePorts(dir, ['jwks']);
  await expect(start(port)).rejects.toThrow('the start went on');
  expect(await reservePorts(dir, ['jwks'])).not.toEqual({ jwks: port });
});

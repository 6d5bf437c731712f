import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { childEnvironment } from '../config.js';
import { recordProcesses } from '../processes/leftovers.js';
import { HOST } from '../processes/ports.js';
import { run } from '../processes/run.js';

const PROGRAM = new URL('../dist/commands/doctor.js', import.meta.url).pathname;
/** Nothing listens on port 1. */
const STACK = {
  gatewayUrls: [],
  portalUrl: null,
  kafkaBrokers: `${HOST}:1`,
  databaseUrls: {},
  jwksUrl: `http://${HOST}:1`,
  managementUrls: {},
};
const doctor = (variables: Record<string, string | null>) =>
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

it('the doctor names each missing setting of external stores', async () => {
  const settings = { PO_INFRA: 'external', KAFKA_BROKERS: 'x', DATABASE_URL: null, REDIS_URL: null };
  const printed = await doctor({ ...settings, PO_LOCAL_DIR: dir });
  expect(printed).toContain('external: DATABASE_URL is not set');
  expect(printed).toContain('external: REDIS_URL is not set');
});

it('the doctor reports a gateway that does not ask for a token', async () => {
  const gateway = createHttpServer((_, response) => response.writeHead(503).end());
  await new Promise<void>((resolve) => void gateway.listen(0, HOST, resolve));
  const url = `http://${HOST}:${(gateway.address() as AddressInfo).port}`;
  const stack = { ...STACK, gatewayUrl: url, gatewayUrls: [url], redisUrl: `redis://${HOST}:1` };
  await writeFile(join(dir, 'stack.json'), JSON.stringify(stack));
  recordProcesses(dir, []);
  expect(await doctor({ PO_LOCAL_DIR: dir })).toMatch(/^FAIL {2}gateway \S+ +answers 503, not 401, without a token$/m);
  gateway.close();
});

describe('the doctor, with the stack.json of a stack whose gateway and Redis do not answer', () => {
  let silent: Server;
  beforeEach(async () => {
    silent = createServer();
    await new Promise<void>((resolve) => void silent.listen(0, HOST, resolve));
    const address = `${HOST}:${(silent.address() as AddressInfo).port}`;
    const url = `http://${address}`;
    const stack = { ...STACK, gatewayUrl: url, redisUrl: `redis://${address}`, managementUrls: { gateway: [url] } };
    await writeFile(join(dir, 'stack.json'), JSON.stringify(stack));
  });
  afterEach(() => void silent.close());

  it('names each of them if the stack runs, and a Docker engine that does not answer', async () => {
    recordProcesses(dir, []);
    await writeFile(join(dir, 'docker'), '#!/bin/sh\nexec sleep 200\n', { mode: 0o755 });
    const printed = await doctor({ PO_LOCAL_DIR: dir, PO_INFRA: 'docker', PATH: `${dir}:${process.env['PATH']}` });
    expect(printed).toContain('docker: no Docker engine answers "docker info"');
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

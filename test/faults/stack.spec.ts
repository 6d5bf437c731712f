import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { startFaultStack } from './stack.js';

it.each([
  ['docker', ['docker']],
  ['external', ['docker', 'embedded']],
])('a stack with any kind of stores and PO_INFRA=%s uses stores of the kind %s', async (infrastructure, kinds) => {
  const dir = await mkdtemp(join(tmpdir(), 'po-fault-stack-'));
  // Simulates a machine without any programs.
  const machine = { PATH: dir, JAVA_HOME: '' };
  const variables = { FAULTS_DIR: dir, FAULTS_CACHE: dir, FAULTS_STORES: 'any', PO_INFRA: infrastructure };
  Object.assign(process.env, machine, variables);
  const failure = await startFaultStack().then(String, String);
  expect(['docker', 'embedded'].filter((kind) => failure.includes(`${kind}: `))).toEqual(kinds);
  await rm(dir, { recursive: true });
});

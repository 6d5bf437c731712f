import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { startFaultStack } from './stack.js';

it('a stack with any kind of stores uses those of PO_INFRA', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'po-fault-stack-'));
  // Simulates a machine without any programs.
  const variables = { FAULTS_DIR: dir, FAULTS_CACHE: dir, FAULTS_STORES: 'any', PO_INFRA: 'docker', PATH: dir };
  Object.assign(process.env, variables);
  const failure = await startFaultStack().then(String, String);
  expect(failure).toContain('docker: ');
  expect(failure).not.toContain('embedded: ');
  await rm(dir, { recursive: true });
});

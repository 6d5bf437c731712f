import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { childEnvironment } from '../../deploy/local/config.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { readStack, stackFolder } from '../support/stack.js';

const PROGRAM = join(REPOSITORY, 'deploy/local/dist/commands/doctor.js');

it('the doctor checks the running stack at its real addresses', async () => {
  const { gatewayUrl, portalUrl } = readStack();
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', PROGRAM], {
    cwd: REPOSITORY,
    env: childEnvironment({ PO_LOCAL_DIR: stackFolder(), PORT: null }),
  });
  expect(stdout).toMatch(new RegExp(`^ok {4}port ${new URL(gatewayUrl).port} +a stack runs from `, 'm'));
  expect(stdout).not.toContain('port 8080');
  expect(stdout).toMatch(new RegExp(`^ok {4}portal +is at ${portalUrl}$`, 'm'));
  expect(stdout).toMatch(/^\d+ good, 0 to fix$/m);
});

import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { childEnvironment } from '../../deploy/local/config.js';
import { run } from '../../deploy/local/processes/run.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { readStack, stackFolder } from '../support/stack.js';

const PROGRAM = join(REPOSITORY, 'deploy/local/dist/commands/doctor.js');

it('the doctor checks the running stack at its real addresses', async () => {
  const { gatewayUrl, portalUrl } = readStack();
  const output = await run(process.execPath, ['--no-warnings', PROGRAM], {
    cwd: REPOSITORY,
    env: childEnvironment({ PO_LOCAL_DIR: stackFolder(), PORT: null }),
  });
  expect(output).toMatch(new RegExp(`^ok {4}port ${new URL(gatewayUrl).port} +a stack runs from `, 'm'));
  expect(output).not.toContain('port 8080');
  expect(output).toMatch(new RegExp(`^ok {4}portal +is at ${portalUrl}$`, 'm'));
  expect(output).toMatch(/^\d+ good, 0 to fix$/m);
});

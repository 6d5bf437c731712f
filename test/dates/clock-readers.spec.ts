import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { REPOSITORY } from '#local/repository.js';
import { clockReaders } from './clock-readers.js';

it('are those by which jest finds the tests that may be others on another day', async () => {
  const readers = await clockReaders();
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', '--listTests'];
  const { stdout } = await promisify(execFile)(process.execPath, [...jest, '--findRelatedTests', ...readers], {
    cwd: REPOSITORY,
  });
  const related = stdout.split('\n').map((path) => path.replace(`${REPOSITORY}/`, ''));
  // It reads the clock itself, through another module, through a library.
  expect(related).toContain('test/dates/days.spec.ts');
  expect(related).toContain('services/purchase-orders/src/domain/workflow.spec.ts');
  expect(related).toContain('services/gateway/src/authentication/key-set.spec.ts');
  expect(related).not.toContain('libs/platform/src/json.spec.ts');
  expect(readers.filter((path) => /dist|node_modules/.test(path))).toEqual([]);
  // Jest reads every file of the repository if it has no cache yet.
}, 180_000);

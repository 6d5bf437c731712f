import { globSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { REPOSITORY } from '../../repository.js';
import { NPM_TEST, TEST_ALL, TIERS, type Tier, filesOf } from './tiers.js';

/** Run by the tier `deployment`, or by hand. */
const ELSEWHERE: Tier[] = ['ops', 'api-server', 'images'];

const specs = globSync('{libs,services,deploy,test}/**/*.spec.ts', {
  cwd: REPOSITORY,
  exclude: ['**/node_modules', '**/dist'],
});
const filesIn = (tier: Tier): string[] => {
  const definition = TIERS[tier];
  if (definition.kind !== 'jest') return [];
  const [option, ...patterns] = filesOf(definition);
  if (option === '--testMatch') return specs.filter((path) => path.endsWith(patterns[0]?.replace('**/*', '') ?? ''));
  return specs.filter((path) => !patterns.some((pattern) => new RegExp(pattern).test(path)));
};

describe('the tiers', () => {
  it('are all run by npm test or test:all, or by another command that is named here', () => {
    const run = [...NPM_TEST, ...TEST_ALL].flat();
    expect(new Set(run).size).toBe(run.length);
    expect([...run, ...ELSEWHERE].toSorted()).toEqual(Object.keys(TIERS).toSorted());
  });

  it('have each file of tests once, but for faults, of which npm test runs one', () => {
    const tiers = (Object.keys(TIERS) as Tier[]).filter((tier) => tier !== 'fault');
    const files = tiers.flatMap(filesIn);
    expect(files.toSorted()).toEqual(specs.toSorted());
    expect(filesIn('fault')).toEqual(filesIn('faults'));
  });
});

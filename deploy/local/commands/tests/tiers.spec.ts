import { globSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { REPOSITORY } from '../../repository.js';
import { type JestTier, NPM_TEST, TEST_ALL, TIERS, type Tier, filesOf } from './tiers.js';

/** Tiers with their own commands. */
const ELSEWHERE: Tier[] = ['api-server', 'docker', 'kubelet', 'chaos', 'restore'];

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
  it('each run once in npm test or test:all, or are listed in this test as run elsewhere', () => {
    const run = [...NPM_TEST, ...TEST_ALL].flat();
    expect(new Set(run).size).toBe(run.length);
    expect([...run, ...ELSEWHERE].toSorted()).toEqual(Object.keys(TIERS).toSorted());
  });

  it('contain each test file once, except that fault and firefox repeat files of other tiers', () => {
    const tiers = (Object.keys(TIERS) as Tier[]).filter((tier) => tier !== 'fault' && tier !== 'firefox');
    const files = tiers.flatMap(filesIn);
    expect(files.toSorted()).toEqual(specs.toSorted());
    expect(filesIn('fault')).toEqual(filesIn('faults'));
    const { files: again = [] } = TIERS.firefox as JestTier;
    expect(specs.filter((path) => again.some((file) => path.endsWith(`/${file}`)))).toHaveLength(again.length);
  });
});

import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { REPOSITORY } from '../../repository.js';

/** A program whose exit status is the result of a check. */
interface Check {
  kind: 'check';
  command: string;
  args: readonly string[];
}

/** A command of this repository that runs tests of its own and ends with `N passed, N failed`. */
interface Command {
  kind: 'command';
  args: readonly string[];
  /** Increment of its niceness, so that it uses the processor time that other tiers leave. */
  niceness?: number;
}

export interface JestTier {
  kind: 'jest';
  /** Suffix of the tier's files. */
  suffix: string;
  /** Some files of other tiers, run once more, instead of those of a suffix. */
  files?: readonly string[];
  /** What the tests read beside what names their environment. */
  variables?: Readonly<Record<string, string>>;
  /** Files that run beside each other. */
  workers: 1 | 2 | 3;
  needs: 'nothing' | 'stores' | 'stack' | 'own-stack' | 'processes' | 'brokers' | 'tools';
}

const bin = (name: string) => join(REPOSITORY, 'node_modules/.bin', name);
const UNIT = '.spec.ts';
const FOLDERS = ['libs', 'services', 'deploy', 'test'];

/** Every tier. Tests that are too long for `npm test` have a separate suffix. */
const DEFINITIONS = {
  format: { kind: 'check', command: bin('oxfmt'), args: ['--check'] },
  lint: { kind: 'check', command: bin('oxlint'), args: ['--type-aware', '--deny-warnings', ...FOLDERS] },
  types: { kind: 'check', command: bin('tsc'), args: ['-b', 'test'] },
  unused: { kind: 'check', command: 'npm', args: ['run', '--silent', 'knip'] },
  unit: { kind: 'jest', suffix: UNIT, workers: 2, needs: 'nothing' },
  'unit-long': { kind: 'jest', suffix: '.long.spec.ts', workers: 2, needs: 'nothing' },
  // They wait for stores more than they compute.
  integration: { kind: 'jest', suffix: '.int.spec.ts', workers: 3, needs: 'stores' },
  'integration-long': { kind: 'jest', suffix: '.int-long.spec.ts', workers: 2, needs: 'stores' },
  // One file after another: they share one stack, and some restart parts of it.
  e2e: { kind: 'jest', suffix: '.e2e.spec.ts', workers: 1, needs: 'stack' },
  'e2e-long': { kind: 'jest', suffix: '.e2e-long.spec.ts', workers: 1, needs: 'stack' },
  smoke: { kind: 'jest', suffix: '.smoke.spec.ts', workers: 1, needs: 'stack' },
  // On one stack, with users, orders and gateways of their own where they would be in each other's way.
  portal: { kind: 'jest', suffix: '.portal.spec.ts', workers: 2, needs: 'stack' },
  // Those that measure by Chromium's own protocol, or wait for what it says of a failed request, run in Chromium alone.
  firefox: {
    kind: 'jest',
    suffix: '.portal.spec.ts',
    files: [
      'fonts.portal.spec.ts',
      'journey-keyboard.portal.spec.ts',
      'journey-mouse.smoke.spec.ts',
      'pages.portal.spec.ts',
      'sign-in.portal.spec.ts',
    ],
    variables: { PO_BROWSER: 'firefox' },
    workers: 2,
    needs: 'stack',
  },
  webkit: { kind: 'jest', suffix: '.webkit.spec.ts', workers: 1, needs: 'stack' },
  // With a gateway of its own on that stack.
  keycloak: { kind: 'jest', suffix: '.keycloak.spec.ts', workers: 1, needs: 'stack' },
  // They compare all that is on the topics with all that the API answers.
  examples: { kind: 'jest', suffix: '.examples.spec.ts', workers: 1, needs: 'own-stack' },
  fault: { kind: 'jest', suffix: '.fault.spec.ts', workers: 1, needs: 'processes' },
  faults: { kind: 'jest', suffix: '.fault.spec.ts', workers: 1, needs: 'processes' },
  cluster: { kind: 'jest', suffix: '.cluster.spec.ts', workers: 1, needs: 'brokers' },
  chaos: { kind: 'jest', suffix: '.chaos.spec.ts', workers: 1, needs: 'processes' },
  restore: { kind: 'jest', suffix: '.restore.spec.ts', workers: 1, needs: 'processes' },
  upgrade: { kind: 'jest', suffix: '.upgrade.spec.ts', workers: 1, needs: 'processes' },
  // A third of what runs on a day, another one each time.
  dates: { kind: 'command', args: ['dates', '--', '--shard', `${randomInt(3) + 1}/3`], niceness: 5 },
  deployment: { kind: 'command', args: ['ops'], niceness: 5 },
  // Run by `npm run test:ops`, which installs the tools.
  ops: { kind: 'jest', suffix: '.ops.spec.ts', workers: 2, needs: 'tools' },
  'api-server': { kind: 'jest', suffix: '.api-server.spec.ts', workers: 1, needs: 'tools' },
  docker: { kind: 'jest', suffix: '.docker.spec.ts', workers: 1, needs: 'tools' },
  kubelet: { kind: 'jest', suffix: '.kubelet.spec.ts', workers: 1, needs: 'tools' },
} as const satisfies Record<string, Check | Command | JestTier>;

export type Tier = keyof typeof DEFINITIONS;
export const TIERS: Readonly<Record<Tier, Check | Command | JestTier>> = DEFINITIONS;

/**
 * What `npm test` runs: lanes run beside each other, one for each of two cores, the tiers of a lane one after another. Lint and unused
 * read what types build, which is there long before.
 */
export const NPM_TEST: readonly (readonly Tier[])[] = [
  ['format', 'types', 'unit', 'integration'],
  ['smoke', 'e2e', 'fault', 'lint', 'unused'],
];

/**
 * What `npm run test:all` runs: everything else, but what needs a quarter of an hour of compiling first (`npm run test:ops -- --all`).
 * The first lane mostly waits for browsers and restarts. The other one computes, and runs in that time, before it waits for brokers.
 */
export const TEST_ALL: readonly (readonly Tier[])[] = [
  ['integration-long', 'portal', 'firefox', 'webkit', 'keycloak', 'e2e-long'],
  ['upgrade', 'examples', 'dates', 'deployment', 'unit-long', 'faults', 'cluster'],
];

/** Jest's arguments for the files of a tier. Files of no other suffix are unit tests. */
export function filesOf({ suffix, files }: JestTier): string[] {
  if (files) return ['--testMatch', ...files.map((file) => `**/${file}`)];
  // Tests of components are TSX.
  if (suffix !== UNIT) return ['--testMatch', `**/*${suffix}`, `**/*${suffix}x`];
  const others = Object.values(TIERS).flatMap((tier) =>
    tier.kind === 'jest' && tier.suffix !== UNIT ? tier.suffix : [],
  );
  return ['--testPathIgnorePatterns', ...new Set(others.map((other) => `${other.replaceAll('.', '\\.')}x?$`))];
}

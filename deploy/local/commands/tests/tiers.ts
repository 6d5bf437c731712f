import { join } from 'node:path';
import { REPOSITORY } from '../../repository.js';

/** A program whose exit status is the result of a check. */
interface Check {
  kind: 'check';
  command: string;
  args: readonly string[];
}

/** A command of this repository that runs its own tests and ends with the line `N passed, N failed`. */
interface Command {
  kind: 'command';
  args: readonly string[];
  /** Lowest niceness, so that the command only uses processor time that other tiers leave. */
  niceness?: number;
}

export interface JestTier {
  kind: 'jest';
  /** Suffix of the tier's test files. */
  suffix: string;
  /** Files of other tiers to run again, instead of those with the suffix. */
  files?: readonly string[];
  /** Additional environment variables for the tests. */
  variables?: Readonly<Record<string, string>>;
  /** Number of files that run in parallel. */
  workers: 1 | 2 | 3;
  needs: 'nothing' | 'stores' | 'stack' | 'own-stack' | 'processes' | 'brokers' | 'tools';
  /** Lowest niceness, as of a command. */
  niceness?: number;
}

const bin = (name: string) => join(REPOSITORY, 'node_modules/.bin', name);
const UNIT = '.spec.ts';
const FOLDERS = ['libs', 'services', 'deploy', 'test'];

/** All tiers. Tests that are too slow for `npm test` have a separate suffix. */
const DEFINITIONS = {
  format: { kind: 'check', command: bin('oxfmt'), args: ['--check'] },
  lint: { kind: 'check', command: bin('oxlint'), args: ['--type-aware', '--deny-warnings', ...FOLDERS] },
  types: { kind: 'check', command: bin('tsc'), args: ['-b', 'test'] },
  unused: { kind: 'check', command: 'npm', args: ['run', '--silent', 'knip'] },
  unit: { kind: 'jest', suffix: UNIT, workers: 2, needs: 'nothing' },
  'unit-long': { kind: 'jest', suffix: '.long.spec.ts', workers: 2, needs: 'nothing' },
  // Three workers on two cores, because these tests mostly wait for stores.
  integration: { kind: 'jest', suffix: '.int.spec.ts', workers: 3, needs: 'stores' },
  'integration-long': { kind: 'jest', suffix: '.int-long.spec.ts', workers: 2, needs: 'stores' },
  // Files run in sequence, because they share one stack and some restart parts of it.
  e2e: { kind: 'jest', suffix: '.e2e.spec.ts', workers: 1, needs: 'stack' },
  'e2e-long': { kind: 'jest', suffix: '.e2e-long.spec.ts', workers: 1, needs: 'stack' },
  smoke: { kind: 'jest', suffix: '.smoke.spec.ts', workers: 1, needs: 'stack' },
  // Files share one stack and use separate users, orders and gateways where they would conflict.
  portal: { kind: 'jest', suffix: '.portal.spec.ts', workers: 2, needs: 'stack' },
  // Without the tests that use Chromium's protocol for measurements or wait for its messages about failed requests.
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
  // Uses its own gateway on the shared stack.
  keycloak: { kind: 'jest', suffix: '.keycloak.spec.ts', workers: 1, needs: 'stack' },
  // Needs its own stack, because it compares all records on the topics with all answers of the API.
  examples: { kind: 'jest', suffix: '.examples.spec.ts', workers: 1, needs: 'own-stack' },
  fault: { kind: 'jest', suffix: '.fault.spec.ts', workers: 1, needs: 'processes' },
  faults: { kind: 'jest', suffix: '.fault.spec.ts', workers: 1, needs: 'processes' },
  cluster: { kind: 'jest', suffix: '.cluster.spec.ts', workers: 1, needs: 'brokers' },
  chaos: { kind: 'jest', suffix: '.chaos.spec.ts', workers: 1, needs: 'processes' },
  restore: { kind: 'jest', suffix: '.restore.spec.ts', workers: 1, needs: 'processes' },
  upgrade: { kind: 'jest', suffix: '.upgrade.spec.ts', workers: 1, needs: 'processes' },
  // A sixth of the unit tests, on the day on which clocks go back at the end of a month. All tiers and days run every night.
  dates: {
    kind: 'command',
    args: ['dates', '--tier', 'unit', '--day', 'clocks go back', '--', '--shard', '1/6'],
    niceness: 5,
  },
  ops: { kind: 'jest', suffix: '.ops.spec.ts', workers: 2, needs: 'tools', niceness: 5 },
  'api-server': { kind: 'jest', suffix: '.api-server.spec.ts', workers: 1, needs: 'tools' },
  docker: { kind: 'jest', suffix: '.docker.spec.ts', workers: 1, needs: 'tools' },
  kubelet: { kind: 'jest', suffix: '.kubelet.spec.ts', workers: 1, needs: 'tools' },
} as const satisfies Record<string, Check | Command | JestTier>;

export type Tier = keyof typeof DEFINITIONS;
export const TIERS: Readonly<Record<Tier, Check | Command | JestTier>> = DEFINITIONS;

/**
 * Tiers of `npm test`. The two lanes run in parallel, for two cores; the tiers of a lane run in sequence. `lint` and `unused` read the
 * build output of `types`, which is finished long before.
 */
export const NPM_TEST: readonly (readonly Tier[])[] = [
  ['format', 'types', 'unit', 'integration'],
  ['smoke', 'e2e', 'fault', 'lint', 'unused'],
];

/**
 * Tiers of `npm run test:all`: the slower ones, without `chaos`, `restore` and the other tiers of `npm run test:ops -- --all`. The first
 * lane mostly waits for browsers and restarts. The second lane computes in that time and waits for brokers at its end. `keycloak` comes
 * before the other tiers that use the stack: some of them restart parts of it.
 */
export const TEST_ALL: readonly (readonly Tier[])[] = [
  ['integration-long', 'portal', 'firefox', 'webkit', 'e2e-long'],
  ['keycloak', 'upgrade', 'examples', 'dates', 'ops', 'unit-long', 'faults', 'cluster'],
];

/** Tiers of `npm run test:ops -- --all`. */
export const ALL_OPS: readonly Tier[] = ['ops', 'api-server', 'docker', 'kubelet'];

/** Jest arguments that select the files of a tier. Files without the suffix of another tier are unit tests. */
export function filesOf({ suffix, files }: JestTier): string[] {
  if (files) return ['--testMatch', ...files.map((file) => `**/${file}`)];
  // Component tests are TSX files.
  if (suffix !== UNIT) return ['--testMatch', `**/*${suffix}`, `**/*${suffix}x`];
  const others = Object.values(TIERS).flatMap((tier) =>
    tier.kind === 'jest' && tier.suffix !== UNIT ? tier.suffix : [],
  );
  return ['--testPathIgnorePatterns', ...new Set(others.map((other) => `${other.replaceAll('.', '\\.')}x?$`))];
}

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import {
  API_SERVER_TOOLS,
  BACKUP_TOOLS,
  BROWSER_TOOLS,
  DATE_TOOLS,
  DOCKER_TOOLS,
  TOOLS,
  type Tool,
  WEBKIT_TOOLS,
} from '../../deploy/tools/tools.js';
import { ROOT, readText } from '@po/testing/documents';
import { type Outcome, tryTool } from '../../deploy/tools/fixtures/ops-tools.js';

const WORKFLOW = '.github/workflows/ci.yml';
const RENOVATE = '.github/renovate.json';

/** Checks a file. `path` is relative to the repository root. */
type Check = (path: string) => Promise<Outcome>;

const schema =
  (name: string): Check =>
  (path) =>
    tryTool('check-jsonschema', ['--builtin-schema', name, path]);
// Without the script linters, which may not be installed.
const actionlint: Check = (path) => tryTool('actionlint', ['-no-color', '-shellcheck=', '-pyflakes=', path]);

const CHECKS: [file: string, check: string, run: Check][] = [
  [WORKFLOW, 'schema', schema('vendor.github-workflows')],
  [WORKFLOW, 'schema of timeouts', schema('custom.github-workflows-require-timeout')],
  [WORKFLOW, 'actionlint', actionlint],
  ['.github/ISSUE_TEMPLATE/bug.yml', 'schema', schema('vendor.github-issue-forms')],
  ['.github/ISSUE_TEMPLATE/feature.yml', 'schema', schema('vendor.github-issue-forms')],
  ['.github/ISSUE_TEMPLATE/config.yml', 'schema', schema('vendor.github-issue-config')],
  [RENOVATE, 'schema', schema('vendor.renovate')],
];

describe('the repository settings', () => {
  it('have a check for every file except the pull request template', () => {
    const files = readdirSync(join(ROOT, '.github'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name);
    const checked = new Set(CHECKS.map(([file]) => basename(file)));
    expect(new Set(files)).toEqual(new Set([...checked, 'pull_request_template.md']));
  });

  it.each(CHECKS)('in %s pass the check: %s', async (file, _check, run) => {
    const { code, text } = await run(file);
    expect([code, code === 0 ? '' : text]).toEqual([0, '']);
  });
});

describe('the workflow', () => {
  interface Job {
    steps: { run?: string; uses?: string }[];
    strategy?: { matrix: { node: string[]; command: string } };
    container?: { image: string };
  }
  const { jobs } = parse(readText(WORKFLOW)) as { jobs: Record<'test' | 'test-all' | 'docker', Job> };
  const { scripts, engines, devDependencies } = JSON.parse(readText('package.json')) as Record<
    'scripts' | 'engines' | 'devDependencies',
    Record<string, string>
  >;
  const npmCommands = ({ steps }: Job): string[] =>
    steps.flatMap(({ run = '' }) => [...run.matchAll(/^\s*(npm (?:run )?\S+)/gm)].map(([, command = '']) => command));

  it('runs the commands of the README, which are all npm scripts', () => {
    expect(npmCommands(jobs.test)).toEqual(['npm test', 'npm start']);
    expect(npmCommands(jobs.docker)).toEqual(['npm run test:docker']);
    expect(jobs['test-all'].steps.map(({ run }) => run)).toContain('npm run ${{ matrix.command }}');
    const { command = '' } = jobs['test-all'].strategy?.matrix ?? {};
    const everyNight = [
      'test:all',
      'test:faults',
      'test:upgrade',
      'test:ops',
      'test:cluster',
      'test:chaos',
      'test:restore',
      'test:dates',
      'supply-chain',
    ];
    expect(new Set([...command.matchAll(/"([a-z:-]+)/g)].map(([, name]) => name))).toEqual(new Set(everyNight));
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['test', 'start', 'test:docker', ...everyNight]));
  });

  it('pins actions to the digest of a commit, each in a single version that a comment names', () => {
    const lines = [...readText(WORKFLOW).matchAll(/\buses: (.+)$/gm)].map(([, used = '']) => used);
    expect(lines).toHaveLength(Object.values(jobs).flatMap(({ steps }) => steps.filter(({ uses }) => uses)).length);
    expect(lines.filter((line) => !/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    const versions = new Set(lines);
    expect(new Set([...versions].map((line) => line.split('@')[0])).size).toBe(versions.size);
  });

  it('runs on the lowest supported Node and on the Node of the images', () => {
    const [lowest, ours] = jobs.test.strategy?.matrix.node ?? [];
    expect([`>=${lowest}`, `^${ours}`]).toEqual([engines['node'], devDependencies['node']]);
    expect(jobs['test-all'].container?.image).toMatch(new RegExp(`^node:${ours}-`));
  });
});

describe('Renovate', () => {
  const renovate = JSON.parse(readText(RENOVATE)) as {
    extends: string[];
    customManagers: { managerFilePatterns: string[]; matchStrings: string[]; depNameTemplate?: string }[];
  };
  const lists: Record<string, Tool>[] = [
    TOOLS,
    API_SERVER_TOOLS,
    DOCKER_TOOLS,
    DATE_TOOLS,
    BROWSER_TOOLS,
    WEBKIT_TOOLS,
    BACKUP_TOOLS,
  ];
  const tools = [...new Set(lists.flatMap((list) => Object.values(list)))];
  /** Published name of a pinned tool; null if the distribution chooses its version. */
  const publishedName = ({ source }: Tool): string | null => {
    if (source.by === 'pip') return source.requirement.split('==')[0] ?? '';
    if (source.by === 'go') return source.package === '.' ? 'k8s.io/kubernetes' : (source.package.split('@')[0] ?? '');
    return null;
  };

  it('finds every pinned tool', () => {
    const file = 'deploy/tools/tools.ts';
    const found = renovate.customManagers
      .filter(({ managerFilePatterns }) =>
        managerFilePatterns.some((regex) => new RegExp(regex.slice(1, -1)).test(file)),
      )
      .flatMap(({ matchStrings, depNameTemplate }) =>
        matchStrings.flatMap((regex) =>
          [...readText(file).matchAll(new RegExp(regex, 'g'))].map(({ groups = {} }) => ({
            name: groups['depName'] ?? depNameTemplate ?? '',
            version: groups['currentValue'],
          })),
        ),
      );
    const pinned = tools.flatMap((one) => publishedName(one) ?? []);
    expect(pinned.length).toBeGreaterThan(10);
    expect(found).toHaveLength(pinned.length);
    const missed = tools.filter((one) => {
      const published = publishedName(one);
      const isIt = (name: string) => `${published}/`.startsWith(`${name}/`);
      return published !== null && !found.some(({ name, version }) => isIt(name) && version === one.version);
    });
    expect(missed).toEqual([]);
  });

  it('keeps actions pinned by digest', () => {
    expect(renovate.extends).toContain('helpers:pinGitHubActionDigestsToSemver');
  });
});

import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ROOT, readText } from '@po/testing/documents';
import type { Outcome } from '../../deploy/local/processes/run.js';
import { tryTool } from '../../deploy/tools/fixtures/ops-tools.js';

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
    steps: { uses?: string }[];
    strategy?: { matrix: { command: string; node: string[] } };
    container?: { image: string };
  }
  const { jobs } = parse(readText(WORKFLOW)) as { jobs: Record<'test' | 'test-all' | 'docker', Job> };

  it('runs every night what test:all shortens or omits', () => {
    const { command = '' } = jobs['test-all'].strategy?.matrix ?? {};
    const everyNight = [
      'test:all',
      'test:faults',
      'test:upgrade',
      'test',
      'test:cluster',
      'test:chaos',
      'test:restore',
      'test:dates',
      'audit',
    ];
    expect(new Set([...command.matchAll(/"([a-z:-]+)/g)].map(([, name]) => name))).toEqual(new Set(everyNight));
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: object };
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(everyNight));
  });

  it('runs on the lowest supported Node and on the Node of the images', () => {
    const { engines, devDependencies } = JSON.parse(readText('package.json')) as Record<string, Record<string, string>>;
    const [lowest, ours] = jobs.test.strategy?.matrix.node ?? [];
    expect([`>=${lowest}`, `^${ours}`]).toEqual([engines?.['node'], devDependencies?.['node']]);
    expect(jobs['test-all'].container?.image).toMatch(new RegExp(`^node:${ours}-`));
  });

  it('pins actions to the digest of a commit, each in a single version that a comment names', () => {
    const lines = [...readText(WORKFLOW).matchAll(/\buses: (.+)$/gm)].map(([, used = '']) => used);
    expect(lines).toHaveLength(Object.values(jobs).flatMap(({ steps }) => steps.filter(({ uses }) => uses)).length);
    expect(lines.filter((line) => !/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    const versions = new Set(lines);
    expect(new Set([...versions].map((line) => line.split('@')[0])).size).toBe(versions.size);
  });
});

it('Renovate finds every pinned tool', () => {
  const file = 'deploy/local/tools/tools.ts';
  const tools = readText(file);
  const pinned = [...tools.matchAll(/\b(?:(?:goTool|goModule|pipTool)\('|[A-Z]+ = 'v)/g)];
  const { customManagers } = JSON.parse(readText(RENOVATE)) as {
    customManagers: { managerFilePatterns: string[]; matchStrings: string[] }[];
  };
  const found = customManagers
    .filter(({ managerFilePatterns }) => managerFilePatterns.some((regex) => new RegExp(regex.slice(1, -1)).test(file)))
    .flatMap(({ matchStrings }) => matchStrings.flatMap((regex) => [...tools.matchAll(new RegExp(regex, 'g'))]));
  expect(pinned.length).toBeGreaterThan(10);
  expect(found).toHaveLength(pinned.length);
});

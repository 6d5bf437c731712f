import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '@po/testing/documents';
import { CHART, NAMES, schemaFaultsOf } from './chart.js';
import { PROPERTIES } from './properties/all.js';
import { type Change, render } from './properties/property.js';
import { runDir } from '../../deploy/tools/fixtures/ops-tools.js';

/** For a test that shares a busy machine with many others. */
const TIMEOUT_MS = 300_000;

const MUTATIONS: [what: string, ...change: Change][] = [
  ['a field does not exist', 'templates/deployments.yaml', 'revisionHistoryLimit: 5', 'revisionHistory: 5'],
  ['a kind does not exist', 'templates/autoscalers.yaml', 'autoscaling/v2\n', 'autoscaling/v2beta2\n'],
];

/** Runs `work` on a copy of the chart in which one text of a file is replaced. */
async function withChanged<T>([file, from, to]: Change, work: (chart: string) => Promise<T>): Promise<T> {
  const chart = join(runDir(), `chart-${randomUUID()}`);
  await cp(join(ROOT, CHART), chart, { recursive: true });
  const path = join(chart, file);
  const text = await readFile(path, 'utf8');
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  await writeFile(path, changed);
  const result = await work(chart);
  await rm(chart, { recursive: true });
  return result;
}

describe('the schema check', () => {
  it.concurrent.each(MUTATIONS)(
    'fails if %s',
    async (_what, ...change) => {
      const { value } = await withChanged(change, (chart) => schemaFaultsOf(chart).next());
      expect(value).toEqual(expect.any(String));
    },
    TIMEOUT_MS,
  );
});

describe('a changed chart', () => {
  const changes = PROPERTIES.flatMap(({ title, check, brokenBy }) =>
    // One change for each property shows that it can fail. All changes run every night.
    brokenBy
      .slice(0, process.env.OPS_ALL === '1' ? brokenBy.length : 1)
      .map((change) => ({ title, check, change, text: change[2] })),
  );

  it.concurrent.each(changes)(
    'breaks the rule that $title: $text',
    async ({ check, change }) => {
      const breaks = await withChanged(change, async (chart) => {
        for (const name of NAMES.toReversed()) {
          const rendered = await render(name, chart);
          const holds = await Promise.resolve(rendered)
            .then(check)
            .then(
              () => true,
              () => false,
            );
          if (!holds) return true;
        }
        return false;
      });
      expect(breaks).toBe(true);
    },
    TIMEOUT_MS,
  );
});

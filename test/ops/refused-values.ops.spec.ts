import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { textOf } from '@po/testing/documents';
import { parse } from 'yaml';
import { CHART } from './chart.js';
import { runDir, tool } from '../../deploy/tools/fixtures/ops-tools.js';

interface Refused {
  /** What helm is to answer. */
  refused: string[];
  values: object;
}

const CASES = Object.entries(parse(textOf('test/ops/refused-values.yaml')) as Record<string, Refused>);

it.each(CASES)('values that cannot be meant are refused, and it is said why: %s', async (name, { refused, values }) => {
  const file = join(runDir(), `refused-${name}.json`);
  await writeFile(file, JSON.stringify(values));
  const { code, text } = await tool('helm', ['template', 'po', CHART, '--values', file]);
  expect(code).not.toBe(0);
  for (const message of refused) expect(text).toContain(message);
});

it('a name of a release that no Service can have is refused', async () => {
  const { code, text } = await tool('helm', ['template', '1st', CHART]);
  expect(code).not.toBe(0);
  expect(text).toContain("the release's name: 1st-po-collaboration names Services");
});

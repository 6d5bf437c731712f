import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readText } from '@po/testing/documents';
import { parse } from 'yaml';
import { CHART } from './chart.js';
import { runDir, tryTool } from '../../deploy/tools/fixtures/ops-tools.js';

interface Refused {
  /** Texts that the error output of helm must contain. */
  refused: string[];
  values: object;
}

const CASES = Object.entries(parse(readText('test/ops/refused-values.yaml')) as Record<string, Refused>);

it.each(CASES)('helm refuses invalid values with the expected messages: %s', async (name, { refused, values }) => {
  const file = join(runDir(), `refused-${name}.json`);
  await writeFile(file, JSON.stringify(values));
  const { code, text } = await tryTool('helm', ['template', 'po', CHART, '--values', file]);
  expect(code).not.toBe(0);
  for (const message of refused) expect(text).toContain(message);
});

it('helm refuses a release name that is not valid for a Service', async () => {
  const { code, text } = await tryTool('helm', ['template', '1st', CHART]);
  expect(code).not.toBe(0);
  expect(text).toContain("the release's name: Services are named 1st-po-collaboration, which must start with a letter");
});

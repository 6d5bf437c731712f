import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '@po/testing/documents';
import { CHART, NAMES, faultsOf, rendered } from './chart.js';

const kept = (rendering: string) => join(ROOT, 'test/ops/renderings', `${rendering}.yaml`);

describe('the chart', () => {
  it('is what its own tests, linters, schemas and scores want it to be, with every file of values', async () => {
    const faults: string[] = [];
    for await (const fault of faultsOf(CHART)) faults.push(fault);
    expect(faults).toEqual([]);
  }, 120_000);

  it.each(NAMES)('renders the %s values as was reviewed (WRITE_RENDERINGS=1 writes them anew)', async (name) => {
    const text = await rendered(name);
    if (process.env['WRITE_RENDERINGS']) await writeFile(kept(name), text);
    expect(text).toBe(await readFile(kept(name), 'utf8'));
  });
});

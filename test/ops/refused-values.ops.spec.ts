import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT, pathsOf } from '@po/testing/documents';
import { CHART } from './chart.js';
import { tool } from '../../deploy/tools/fixtures/ops-tools.js';

/** The first lines of such a file say what helm is to answer. */
const expectedOf = (path: string): string[] =>
  [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^# refused: (.+)$/gm)].map(([, message = '']) => message);

const files = pathsOf('test/ops/bad-values/*.yaml').toSorted();

describe('values that cannot be meant', () => {
  it('were found', () => {
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((path) => expectedOf(path).length === 0)).toEqual([]);
  });

  it.each(files.map((path) => [basename(path, '.yaml'), path]))(
    'are refused, and it is said why: %s',
    async (_, path) => {
      const { code, text } = await tool('helm', ['template', 'po', CHART, '--values', path]);
      expect(code).not.toBe(0);
      for (const message of expectedOf(path)) expect(text).toContain(message);
    },
  );
});

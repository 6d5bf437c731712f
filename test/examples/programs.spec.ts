import { expect, it } from '@jest/globals';
import { pathsOf, readText } from '@po/testing/documents';

const MAX_LINES = 120;

const programs = pathsOf('libs/contracts/examples/{consumers,producers}/*/*.{ts,py,java,go}');

it('the example programs cover every language in fewer than 120 lines each', () => {
  expect(new Set(programs.map((path) => path.split('.').at(-1)))).toEqual(new Set(['ts', 'py', 'java', 'go']));
  const long = programs.filter((path) => readText(path).trimEnd().split('\n').length >= MAX_LINES);
  expect(long).toEqual([]);
});

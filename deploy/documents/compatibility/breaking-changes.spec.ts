import { describe, expect, it } from '@jest/globals';
import { findBreakingChanges } from './breaking-changes.js';

describe('findBreakingChanges', () => {
  const SETTINGS = 'deploy/CONFIGURATION.md';
  const VALUES = 'deploy/helm/po-collaboration/values.yaml';
  const only = (path: string, text: string) => (asked: string) => Promise.resolve(asked === path ? text : null);
  const table = (...rows: string[]) =>
    only(SETTINGS, `<!-- configuration mail:start -->\n${rows.map((row) => `| ${row} | m |\n`).join('')}<!-- -->`);

  it('reports settings that were removed or became required', async () => {
    const before = table('`A` | `1`', '`B` | needed', '`C` |', '`D` |');
    const after = table('`A` | `2`', '`B` |', '`C` | needed', '`E` |', '`F` | needed');
    expect(await findBreakingChanges(before, after)).toEqual([
      'the setting D (mail) is gone',
      'the setting C (mail) is needed',
      'the setting F (mail) is needed',
    ]);
  });

  it('reports removed values of the chart', async () => {
    const [before, after] = [only(VALUES, 'a: 1\nb: { c: [], d: {} }'), only(VALUES, 'a: 2\nb: { d: { e: 1 } }')];
    expect(await findBreakingChanges(before, after)).toEqual(["the chart's value b.c is gone"]);
    expect(await findBreakingChanges(before, table())).toEqual([`${VALUES} is gone`]);
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Draft, type Fields, merge, newDraft, rebase, settled, typed } from './three-way-merge.js';

/** Few names and values, so that people meet. */
const field = fc.constantFrom('a', 'b', 'c', 'd', 'e', '__proto__');
const value = fc.constantFrom('', '1', '2', '3', null);
const fields = fc.uniqueArray(fc.tuple(field, value), { selector: ([name]) => name }).map((all) => new Map(all));
const draft = fc
  .tuple(fields, fields)
  .map(([base, mine]) => [...mine].reduce((made, [name, to]) => typed(made, base, name, to), newDraft(1, base)));

type Value = string | null;
/** What is to be seen of it: what was typed, else what the order has. */
const shown = ({ mine }: Draft<Value>, order: Fields<Value>, name: string) =>
  mine.has(name) ? mine.get(name) : order.get(name);
const check = (property: (mine: Draft<Value>, theirs: Fields<Value>) => void) =>
  fc.assert(fc.property(draft, fields, property), { numRuns: 500 });
const names = ['a', 'b', 'c', 'd', 'e', '__proto__'];

describe('what was typed, on an order that others changed', () => {
  it('is never lost while one keeps it', () => {
    check((before, theirs) => {
      const after = rebase(before, 2, theirs);
      for (const [name, to] of before.mine) expect(shown(after, theirs, name)).toBe(to);
    });
  });

  it('gives way where both changed a field and one takes theirs, and nowhere else', () => {
    check((before, theirs) => {
      const { conflicts } = merge(before, theirs);
      const inTheWay = new Set(conflicts.map((conflict) => conflict.field));
      const after = rebase(before, 2, theirs, () => true);
      for (const name of names) {
        const expected = inTheWay.has(name) ? theirs.get(name) : shown(before, theirs, name);
        expect(shown(after, theirs, name)).toBe(expected);
      }
    });
  });

  it('is settled field by field, as one chose', () => {
    check((before, theirs) => {
      const { conflicts } = merge(before, theirs);
      const taken = conflicts.filter((_, place) => place % 2 === 0).map((conflict) => conflict.field);
      const after = rebase(before, 2, theirs, (name) => taken.includes(name));
      for (const conflict of conflicts) {
        const expected = taken.includes(conflict.field) ? conflict.theirs : conflict.mine;
        expect(shown(after, theirs, conflict.field)).toBe(expected);
      }
    });
  });

  it('is in the way only where the order moved from what one had seen, to something else than one typed', () => {
    check((before, theirs) => {
      const { changes, conflicts } = merge(before, theirs);
      for (const conflict of conflicts) {
        expect(changes.map((change) => change.field)).toContain(conflict.field);
        expect(conflict).toEqual({
          field: conflict.field,
          of: conflict.field,
          base: before.base.get(conflict.field),
          mine: before.mine.get(conflict.field),
          theirs: theirs.get(conflict.field),
        });
        expect(new Set([conflict.base, conflict.mine, conflict.theirs]).size).toBe(3);
      }
    });
  });

  it('is asked about once', () => {
    check((before, theirs) => {
      const after = rebase(before, 2, theirs);
      expect(merge(after, theirs)).toEqual({ changes: [], conflicts: [] });
      expect(rebase(after, 2, theirs)).toEqual(after);
      expect(after.version).toBe(2);
      // What both made of a field is no longer to be saved.
      for (const [name, to] of after.mine) expect(to).not.toBe(theirs.get(name));
    });
  });

  it('is saved where the order says the same, whoever wrote it there, and nothing is told of that', () => {
    check((before, theirs) => {
      const after = settled(before, theirs);
      const apart = [...before.mine].filter(([name, to]) => to !== theirs.get(name));
      expect(after.mine).toEqual(new Map(apart));
      for (const name of names) expect(shown(after, theirs, name)).toBe(shown(before, theirs, name));
      const told = merge(before, theirs);
      expect(merge(after, theirs)).toEqual({
        changes: told.changes.filter(({ field: name }) => !before.mine.has(name) || after.mine.has(name)),
        conflicts: told.conflicts,
      });
      expect(after === before).toBe(apart.length === before.mine.size);
    });
  });

  it('stays as it is where nobody else changed anything', () => {
    check((before) => {
      expect(merge(before, before.base)).toEqual({ changes: [], conflicts: [] });
      expect(rebase(before, before.version, before.base)).toEqual(before);
    });
  });

  it('is none once it is typed back', () => {
    check((before) => {
      const touched = [...before.mine.keys()].filter((name) => before.base.has(name));
      const after = touched.reduce(
        (made, name) => typed(made, before.base, name, before.base.get(name) as Value),
        before,
      );
      expect([...after.mine.keys()].filter((name) => before.base.has(name))).toEqual([]);
    });
  });

  it('is what one sees as soon as it is typed, also where it was so before others changed it', () => {
    fc.assert(
      fc.property(draft, fields, field, value, (before, theirs, name, to) => {
        expect(shown(typed(before, theirs, name, to), theirs, name)).toBe(to);
      }),
    );
  });

  it('tells a row that is gone, and one that came', () => {
    const before = typed(newDraft<number>(1, new Map([['gone', 5]])), new Map([['gone', 5]]), 'gone', 7);
    expect(merge(before, new Map([['come', 1]]))).toEqual({
      changes: [
        { field: 'gone', from: 5, to: undefined },
        { field: 'come', from: undefined, to: 1 },
      ],
      conflicts: [{ field: 'gone', of: 'gone', base: 5, mine: 7, theirs: undefined }],
    });
  });

  it('is in the way of an original that changed, which its writer did not see', () => {
    const originalOf = (name: string) => (name === 'reply' ? 'original' : undefined);
    const order = (original: string, reply: Value) =>
      new Map<string, Value>([
        ['original', original],
        ['reply', reply],
      ]);
    const before = typed(newDraft(1, order('A', null)), order('A', null), 'reply', 'C');
    const conflict = { field: 'reply', of: 'original', base: 'A', mine: 'C', theirs: 'B' };
    expect(merge(before, order('B', null), originalOf).conflicts).toEqual([conflict]);
    // The source drops a reply to an original that it changes.
    const answered = typed(newDraft(1, order('A', 'R')), order('A', 'R'), 'reply', 'C');
    expect(merge(answered, order('B', null), originalOf).conflicts).toEqual([
      { ...conflict, of: 'reply', base: 'R', theirs: null },
    ]);
    expect(merge(before, order('C', null), originalOf).conflicts).toEqual([]);
    expect(rebase(before, 2, order('B', null), () => true, originalOf).mine.size).toBe(0);
    expect(rebase(before, 2, order('B', null), () => false, originalOf).mine.get('reply')).toBe('C');
  });
});

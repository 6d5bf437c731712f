import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Draft, type Fields, merge, newDraft, rebase, withoutSaved, withTyped } from './three-way-merge.js';

/** Few names and values, so that changes often collide. */
const field = fc.constantFrom('a', 'b', 'c', 'd', 'e', '__proto__');
const value = fc.constantFrom('', '1', '2', '3', null);
const fields = fc.uniqueArray(fc.tuple(field, value), { selector: ([name]) => name }).map((all) => new Map(all));
const draft = fc
  .tuple(fields, fields)
  .map(([base, mine]) => [...mine].reduce((made, [name, to]) => withTyped(made, base, name, to), newDraft(base)));

type Value = string | null;
/** Displayed value: the typed one, else the order's. */
const shown = ({ mine }: Draft<Value>, order: Fields<Value>, name: string) =>
  mine.has(name) ? mine.get(name) : order.get(name);
const check = (property: (mine: Draft<Value>, theirs: Fields<Value>) => void) =>
  fc.assert(fc.property(draft, fields, property), { numRuns: 500 });
const names = ['a', 'b', 'c', 'd', 'e', '__proto__'];

describe('merging typed values with changes by others', () => {
  it('keeps every typed value except in conflicts in which the user takes theirs', () => {
    fc.assert(
      fc.property(draft, fields, fc.subarray(names), (before, theirs: Fields<Value>, taken) => {
        const { conflicts } = merge(before, theirs);
        const after = rebase(before, theirs, (name) => taken.includes(name));
        const given = conflicts.map((conflict) => conflict.field).filter((name) => taken.includes(name));
        for (const name of names) {
          const expected = given.includes(name) ? theirs.get(name) : shown(before, theirs, name);
          expect(shown(after, theirs, name)).toBe(expected);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('reports a conflict only if the order changed from the base to a value other than the typed one', () => {
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

  it('reports no change or conflict again after a rebase', () => {
    check((before, theirs) => {
      const after = rebase(before, theirs);
      expect(merge(after, theirs)).toEqual({ changes: [], conflicts: [] });
      expect(rebase(after, theirs)).toEqual(after);
      // A value that both sides set is no longer unsaved.
      for (const [name, to] of after.mine) expect(to).not.toBe(theirs.get(name));
    });
  });

  it('drops typed values that the order already has, and reports no change for them', () => {
    check((before, theirs) => {
      const after = withoutSaved(before, theirs);
      const apart = [...before.mine].filter(([name, to]) => to !== theirs.get(name));
      expect(after.mine).toEqual(new Map(apart));
      for (const name of names) expect(shown(after, theirs, name)).toBe(shown(before, theirs, name));
      const merged = merge(before, theirs);
      expect(merge(after, theirs)).toEqual({
        changes: merged.changes.filter(({ field: name }) => !before.mine.has(name) || after.mine.has(name)),
        conflicts: merged.conflicts,
      });
      expect(after === before).toBe(apart.length === before.mine.size);
    });
  });

  it('leaves the draft as it is if nobody else changed the order', () => {
    check((before) => {
      expect(merge(before, before.base)).toEqual({ changes: [], conflicts: [] });
      expect(rebase(before, before.base)).toEqual(before);
    });
  });

  it('drops a field that is typed back to its base value', () => {
    check((before) => {
      const touched = [...before.mine.keys()].filter((name) => before.base.has(name));
      const after = touched.reduce(
        (made, name) => withTyped(made, before.base, name, before.base.get(name) as Value),
        before,
      );
      expect([...after.mine.keys()].filter((name) => before.base.has(name))).toEqual([]);
    });
  });

  it('displays a typed value at once, even if it equals the base value that others changed', () => {
    fc.assert(
      fc.property(draft, fields, field, value, (before, theirs, name, to) => {
        expect(shown(withTyped(before, theirs, name, to), theirs, name)).toBe(to);
      }),
    );
  });

  it('reports a conflict if others changed the original of a typed reply', () => {
    const originalOf = (name: string) => (name === 'reply' ? 'original' : undefined);
    const order = (original: string, reply: Value) =>
      new Map<string, Value>([
        ['original', original],
        ['reply', reply],
      ]);
    const before = withTyped(newDraft(order('A', null)), order('A', null), 'reply', 'C');
    const conflict = { field: 'reply', of: 'original', base: 'A', mine: 'C', theirs: 'B' };
    expect(merge(before, order('B', null), originalOf).conflicts).toEqual([conflict]);
    // The source drops the reply when it changes an original.
    const answered = withTyped(newDraft(order('A', 'R')), order('A', 'R'), 'reply', 'C');
    expect(merge(answered, order('B', null), originalOf).conflicts).toEqual([
      { ...conflict, of: 'reply', base: 'R', theirs: null },
    ]);
    expect(merge(before, order('C', null), originalOf).conflicts).toEqual([]);
    expect(rebase(before, order('B', null), () => true, originalOf).mine.size).toBe(0);
    expect(rebase(before, order('B', null), () => false, originalOf).mine.get('reply')).toBe('C');
  });
});

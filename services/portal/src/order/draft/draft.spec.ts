import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { matrixOf } from '../lines/size-matrix.js';
import { line } from '../lines/sample-lines.js';
import {
  type Draft,
  EMPTY,
  type Step,
  afterSave,
  conflictsOf,
  decide,
  hasValue,
  redo,
  settle,
  type,
  typeOn,
  undo,
  valueOf,
} from './draft.js';
import type { Typed } from './parse-input.js';

/** Cells of one line item. */
const cells = (sizes: Parameters<typeof line>[0]['sizes']) => matrixOf([line({ sizes })]).slots;
const server = cells({ S: 10, M: [20, 25], L: 30 });
const slot = (size: string, slots = server) => {
  const found = slots.get(`quantity:S/RED/${size}`);
  if (!found) throw new Error(`no size ${size}`);
  return found;
};
const typing = (draft: Draft, ...typed: [size: string, typed: Typed][]) =>
  type(
    draft,
    typed.map(([size, value]) => [slot(size), value] as const),
  );
const shown = ({ edits }: Draft) => Object.fromEntries([...edits].map(([key, { typed }]) => [key.at(-1), typed]));

describe('a draft', () => {
  it('holds values that differ from the saved ones and drops those that no longer differ', () => {
    const draft = typing(EMPTY, ['S', 12], ['M', null], ['L', 'x']);
    expect(shown(draft)).toEqual({ S: 12, M: null, L: 'x' });
    expect([valueOf(slot('S'), draft.edits), valueOf(slot('M'), draft.edits), valueOf(slot('L'), draft.edits)]).toEqual(
      [12, 20, 30],
    );
    expect(shown(typing(draft, ['S', 10], ['M', 25], ['L', null]))).toEqual({});
  });

  it('treats the original value as no reply', () => {
    expect(shown(typing(EMPTY, ['M', 20]))).toEqual({ M: null });
    expect(typing(EMPTY, ['S', 10])).toBe(EMPTY);
  });

  it('undoes and redoes whole steps', () => {
    const first = typing(EMPTY, ['S', 1], ['L', 2]);
    const second = typing(first, ['S', 3]);
    expect([shown(undo(second)), shown(undo(undo(second))), shown(redo(undo(second)))]).toEqual([
      { S: 1, L: 2 },
      {},
      { S: 3, L: 2 },
    ]);
    expect([undo(EMPTY), redo(second)]).toEqual([EMPTY, second]);
    expect(shown(redo(typing(undo(second), ['L', 9])))).toEqual({ S: 1, L: 9 });
  });

  it('treats keystrokes in one cell as one step until another step follows', () => {
    const first = typing(EMPTY, ['S', 7]);
    const keys = (draft: Draft, own: Step | null, ...typed: Typed[]) =>
      typed.reduce((now, value) => typeOn(now.draft, [slot('M'), value], now.own), { draft, own });
    const typed = keys(first, null, 'x', 1, null, 12);
    expect([shown(typed.draft), typed.draft.done.length]).toEqual([{ S: 7, M: 12 }, 2]);
    expect(shown(undo(typed.draft))).toEqual({ S: 7 });
    expect(shown(redo(undo(typed.draft)))).toEqual({ S: 7, M: 12 });
    const back = keys(typed.draft, typed.own, 25);
    expect([shown(back.draft), back.draft.done.length, back.own]).toEqual([{ S: 7 }, 1, null]);
    const apart = keys(typing(typed.draft, ['L', 3]), typed.own, 13);
    expect([shown(apart.draft), apart.draft.done.length]).toEqual([{ S: 7, M: 13, L: 3 }, 4]);
    expect(shown(undo(apart.draft))).toEqual({ S: 7, M: 12, L: 3 });
    const undone = keys(undo(typed.draft), typed.own, 14);
    expect([shown(undone.draft), undone.draft.undone]).toEqual([{ S: 7, M: 14 }, []]);
  });

  it('reports whether a cell already has a value', () => {
    expect([25, 20, null].map((value) => hasValue(EMPTY.edits, slot('M'), value))).toEqual([true, false, false]);
    expect([10, null, 11].map((value) => hasValue(EMPTY.edits, slot('S'), value))).toEqual([true, true, false]);
    const { edits } = typing(EMPTY, ['M', 20], ['S', 'x']);
    expect([hasValue(edits, slot('M'), 20), hasValue(edits, slot('S'), 'x'), hasValue(edits, slot('S'), 10)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('passes through all previous states when undone and redone', () => {
    const size = fc.constantFrom('S', 'M', 'L');
    const value = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constant(null), fc.constant('x'));
    const steps = fc.array(fc.array(fc.tuple(size, value), { minLength: 1, maxLength: 4 }), { maxLength: 12 });
    fc.assert(
      fc.property(steps, (all) => {
        const states = [EMPTY];
        for (const step of all) {
          const next = typing(states.at(-1) ?? EMPTY, ...step);
          if (next !== states.at(-1)) states.push(next);
        }
        let draft = states.at(-1) ?? EMPTY;
        for (const { edits } of states.toReversed().slice(1)) expect((draft = undo(draft)).edits).toEqual(edits);
        for (const { edits } of states.slice(1)) expect((draft = redo(draft)).edits).toEqual(edits);
      }),
    );
  });
});

describe('a draft whose cells changed', () => {
  const draft = typing(EMPTY, ['S', 12], ['M', 26], ['L', 33]);
  const later = cells({ S: 10, M: [20, 24], L: [30, 33] });

  it('drops saved values and their undo steps', () => {
    const left = settle(draft, later);
    expect([shown(left), left.done]).toEqual([{ S: 12, M: 26 }, []]);
    expect(settle(draft, server)).toBe(draft);
  });

  it('reports a conflict if others changed the reply or the original, or removed the row', () => {
    const left = settle(draft, later);
    expect(conflictsOf(left.edits, server)).toEqual([]);
    expect(conflictsOf(left.edits, later)).toEqual([{ key: slot('M').key, before: 25, mine: 26, theirs: 24 }]);
    expect(conflictsOf(left.edits, cells({ S: 11, M: [20, 25] }))).toEqual([
      { key: slot('S').key, before: 10, mine: 12, theirs: 11 },
    ]);
    expect(conflictsOf(left.edits, cells({ M: [20, 25] }))).toEqual([
      { key: slot('S').key, before: 10, mine: 12, theirs: null },
    ]);
  });

  it('reports a changed original under a reply only if the user restores the original', () => {
    const other = cells({ S: 10, M: [21, 25], L: 30 });
    expect(conflictsOf(typing(EMPTY, ['M', 26]).edits, other)).toEqual([]);
    expect(conflictsOf(typing(EMPTY, ['M', null]).edits, other).map(({ key }) => key)).toEqual([slot('M').key]);
  });

  it('can keep the values of the user over changed cells, except in removed rows', () => {
    const mine = (slots: typeof server) => decide(settle(draft, later), slots, () => false);
    expect([shown(mine(later)), conflictsOf(mine(later).edits, later)]).toEqual([{ S: 12, M: 26 }, []]);
    expect(shown(mine(cells({ M: [20, 25] })))).toEqual({ M: 26 });
  });

  it('takes the value of others where the user chooses it, and keeps all other edits', () => {
    const both = cells({ S: 11, M: [20, 24], L: 30 });
    const decided = decide(draft, both, (key) => key === slot('M').key);
    expect([shown(decided), conflictsOf(decided.edits, both)]).toEqual([{ S: 12, L: 33 }, []]);
    expect(shown(decide(settle(draft, later), later, () => true))).toEqual({ S: 12 });
    expect(decide(draft, server, () => true)).toBe(draft);
  });

  it('keeps values typed during a save, and still reports conflicts with others', () => {
    const sent = typing(EMPTY, ['S', 12], ['L', 33]);
    const meanwhile = typing(sent, ['S', 13], ['M', 26]);
    const saved = cells({ S: [10, 12], M: [20, 24], L: [30, 33] });
    const left = settle(afterSave(meanwhile, sent.edits, saved), saved);
    expect(shown(left)).toEqual({ S: 13, M: 26 });
    expect(conflictsOf(left.edits, saved).map(({ mine }) => mine)).toEqual([26]);
    expect(afterSave(sent, sent.edits, saved)).toBe(sent);
  });

  it('keeps values typed back during a save, but none that was already read as saved', () => {
    const sent = typing(EMPTY, ['S', 12], ['M', 26]);
    const saved = cells({ S: [10, 12], M: [20, 26], L: 30 });
    const after = (draft: Draft) => shown(settle(afterSave(draft, sent.edits, saved), saved));
    expect(after(typing(sent, ['S', 10]))).toEqual({ S: null });
    expect(after(typing(sent, ['M', 25], ['L', 33]))).toEqual({ M: 25, L: 33 });
    expect(after(undo(sent))).toEqual({ S: null, M: 25 });
    expect(after(settle(sent, saved))).toEqual({});
  });

  it('compares with the value seen first, even if the cell is typed into again', () => {
    const again = type(draft, [[slot('M', later), 27]]);
    expect(conflictsOf(again.edits, later).map(({ mine }) => mine)).toContain(27);
  });
});

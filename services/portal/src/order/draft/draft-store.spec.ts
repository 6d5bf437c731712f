import { describe, expect, it } from '@jest/globals';
import { TextStorage } from '../../storage/text-storage.js';
import { matrixOf } from '../lines/size-matrix.js';
import { line } from '../lines/sample-lines.js';
import { openDraft } from './draft-store.js';
import { EMPTY, type, undo } from './draft.js';

const typed = (value: number | string | null) => {
  const [slot] = matrixOf([line({ sizes: { S: [10, 5] } })]).slots.values();
  if (!slot) throw new Error('no cell');
  return (draft: typeof EMPTY) => type(draft, [[slot, value]]);
};

/** A browser whose tabs share one storage. */
function browser() {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
    key: (index: number) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size;
    },
  };
  return { kept, tab: () => new TextStorage(() => storage) };
}

describe('a draft in browser storage', () => {
  it.each([7, null, 'x'])('restores the value %j after a reload', (value) => {
    const { tab } = browser();
    const draft = openDraft(tab(), 'a');
    draft.change(typed(value));
    expect(openDraft(tab(), 'a').get().edits).toEqual(draft.get().edits);
    expect(draft.get().edits.size).toBe(1);
  });

  it('removes its stored text when its last edit is undone', () => {
    const { tab, kept } = browser();
    const draft = openDraft(tab(), 'a');
    draft.change(typed(7));
    expect(kept.size).toBe(1);
    draft.change(undo);
    expect(kept.size).toBe(0);
  });

  it('notifies listeners and adopts the edits of another tab without their undo steps', () => {
    const { tab } = browser();
    const mine = tab();
    const [one, other] = [openDraft(tab(), 'a'), openDraft(mine, 'a')];
    let notifications = 0;
    const stop = other.subscribe(() => (notifications += 1));
    one.change(typed(7));
    mine.notify();
    stop();
    expect([notifications, other.get().edits.size, other.get().done.length]).toEqual([1, 1, 0]);
  });

  it('builds on the edits of another tab even before it is notified', () => {
    const { tab } = browser();
    const [one, other] = [openDraft(tab(), 'a'), openDraft(tab(), 'a')];
    one.change(typed(7));
    other.change((draft) => {
      expect(draft.edits.size).toBe(1);
      return draft;
    });
  });

  it.each(['', 'null', '{}', '[1]', '[["k"]]', '[["k",{"typed":{},"original":1,"reply":null}]]'])(
    'starts empty if the stored text is %j',
    (text) => {
      const texts = browser().tab();
      texts.set('a', text);
      expect(openDraft(texts, 'a').get()).toEqual(EMPTY);
    },
  );
});

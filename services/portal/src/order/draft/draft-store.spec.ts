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

/** Tabs of one browser. */
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

describe('a draft in the browser`s storage', () => {
  it.each([7, null, 'x'])('is there again after a reload: %j', (value) => {
    const { tab } = browser();
    const draft = openDraft(tab(), 'a');
    draft.change(typed(value));
    expect(openDraft(tab(), 'a').get().edits).toEqual(draft.get().edits);
    expect(draft.get().edits.size).toBe(1);
  });

  it('leaves nothing behind when nothing is left of it', () => {
    const { tab, kept } = browser();
    const draft = openDraft(tab(), 'a');
    draft.change(typed(7));
    expect(kept.size).toBe(1);
    draft.change(undo);
    expect(kept.size).toBe(0);
  });

  it('tells who listens, and takes what another tab kept, without its steps', () => {
    const { tab } = browser();
    const mine = tab();
    const [one, other] = [openDraft(tab(), 'a'), openDraft(mine, 'a')];
    let told = 0;
    const stop = other.subscribe(() => (told += 1));
    one.change(typed(7));
    mine.notify();
    stop();
    expect([told, other.get().edits.size, other.get().done.length]).toEqual([1, 1, 0]);
  });

  it('goes on from what another tab kept, also before it was told', () => {
    const { tab } = browser();
    const [one, other] = [openDraft(tab(), 'a'), openDraft(tab(), 'a')];
    one.change(typed(7));
    other.change((draft) => {
      expect(draft.edits.size).toBe(1);
      return draft;
    });
  });

  it.each(['', 'null', '{}', '[1]', '[["k"]]', '[["k",{"typed":{},"original":1,"reply":null}]]'])(
    'begins anew where %j was kept',
    (text) => {
      const texts = browser().tab();
      texts.set('a', text);
      expect(openDraft(texts, 'a').get()).toEqual(EMPTY);
    },
  );
});

import { describe, expect, it } from '@jest/globals';
import { matrixOf } from '../matrix/model.js';
import { line } from '../matrix/sample-lines.js';
import { openDraft } from './draft-store.js';
import { EMPTY, type, undo } from './draft.js';
import { draftName } from './stored-draft.js';

const NAME = draftName('u1', 'PO-1');
const never = () => {
  throw new Error('there is room');
};
const typed = (value: number | string | null) => {
  const [slot] = matrixOf([line({ sizes: { S: [10, 5] } })]).slots.values();
  if (!slot) throw new Error('no cell');
  return (draft: typeof EMPTY) => type(draft, [[slot, value]]);
};

class Memory {
  readonly kept = new Map<string, string>();
  getItem = (name: string) => this.kept.get(name) ?? null;
  setItem = (name: string, value: string) => void this.kept.set(name, value);
  removeItem = (name: string) => void this.kept.delete(name);
}

describe('a draft in the browser`s storage', () => {
  it.each([7, null, 'x'])('is there again after a reload: %j', (value) => {
    const storage = new Memory();
    const draft = openDraft(storage, NAME, never);
    draft.change(typed(value));
    expect(openDraft(storage, NAME, never).get().edits).toEqual(draft.get().edits);
    expect(draft.get().edits.size).toBe(1);
  });

  it('leaves nothing behind when nothing is left of it', () => {
    const storage = new Memory();
    const draft = openDraft(storage, NAME, never);
    draft.change(typed(7));
    expect(storage.kept.size).toBe(1);
    draft.change(undo);
    expect(storage.kept.size).toBe(0);
  });

  it('belongs to a user and an order', () => {
    const storage = new Memory();
    openDraft(storage, NAME, never).change(typed(7));
    for (const other of [draftName('u2', 'PO-1'), draftName('u1', 'PO-2')])
      expect(openDraft(storage, other, never).get()).toEqual(EMPTY);
  });

  it('tells who listens, and takes what another tab kept', () => {
    const storage = new Memory();
    const [one, other] = [openDraft(storage, NAME, never), openDraft(storage, NAME, never)];
    let told = 0;
    const stop = other.subscribe(() => (told += 1));
    one.change(typed(7));
    other.reload();
    stop();
    other.change(typed(8));
    expect([told, other.get().edits.size]).toEqual([1, 1]);
  });

  it('goes on without storage that is full, and says so', () => {
    const storage = new Memory();
    storage.setItem = () => {
      throw new Error('QuotaExceededError');
    };
    let full = 0;
    const draft = openDraft(storage, NAME, () => (full += 1));
    draft.change(typed(7));
    expect([draft.get().edits.size, full]).toEqual([1, 1]);
  });

  it.each(['', 'null', '{}', '[1]', '[["k"]]', '[["k",{"typed":{},"original":1,"reply":null}]]'])(
    'begins anew where %j was kept',
    (kept) => {
      const storage = new Memory();
      storage.setItem(NAME, kept);
      expect(openDraft(storage, NAME, never).get()).toEqual(EMPTY);
    },
  );
});

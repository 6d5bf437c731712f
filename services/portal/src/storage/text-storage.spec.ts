import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CHOSEN, TextStorage, storageKey } from './text-storage.js';

/** Storage of a browser with a capacity in characters. */
class FakeStorage {
  readonly kept = new Map<string, string>();
  forbidden = false;
  constructor(public capacity = Infinity) {}
  get length() {
    this.check();
    return this.kept.size;
  }
  key = (index: number) => [...this.kept.keys()][index] ?? null;
  private check() {
    if (this.forbidden) throw new Error('SecurityError');
  }
  getItem = (name: string) => {
    this.check();
    return this.kept.get(name) ?? null;
  };
  setItem = (name: string, value: string) => {
    this.check();
    const others = [...this.kept].reduce((sum, [other, text]) => sum + (other === name ? 0 : text.length), 0);
    if (others + value.length > this.capacity) throw new Error('QuotaExceededError');
    this.kept.set(name, value);
  };
  removeItem = (name: string) => {
    this.check();
    this.kept.delete(name);
  };
}

const draft = (user: string) => storageKey(user, ['order', 'PO-1', 'cells']);

describe('texts stored in a browser', () => {
  it('are available in other tabs and after a reload, until they are emptied', () => {
    const storage = new FakeStorage();
    const texts = new TextStorage(() => storage);
    texts.set('a', 'typed');
    expect(new TextStorage(() => storage).get('a')).toBe('typed');
    texts.set('a', '');
    expect([new TextStorage(() => storage).get('a'), storage.kept.size]).toEqual(['', 0]);
  });

  it('have different keys for each user and purpose', () => {
    const part = fc.string();
    fc.assert(
      fc.property(part, fc.array(part), part, fc.array(part), (user, what, other, otherWhat) => {
        const isSame = JSON.stringify([user, what]) === JSON.stringify([other, otherWhat]);
        expect(storageKey(user, what) === storageKey(other, otherWhat)).toBe(isSame);
      }),
      { examples: [['u', ['a:b'], 'u:a', ['b']]] },
    );
  });

  it('are never lost while the page is open, even if the storage is full', () => {
    const step = fc.tuple(fc.constantFrom('c', draft('a'), draft('b')), fc.string({ maxLength: 6 }));
    fc.assert(
      fc.property(fc.array(step), fc.nat(10), (steps, size) => {
        const storage = new FakeStorage(size);
        const texts = new TextStorage(() => storage);
        const last = new Map<string, string>();
        for (const [name, text] of steps) {
          texts.set(name, text);
          last.set(name, text);
          for (const [known, its] of last) expect(texts.get(known)).toBe(its);
        }
        const unsaved = [...last].filter(([name, text]) => name !== 'c' && (storage.kept.get(name) ?? '') !== text);
        expect(texts.isFull()).toBe(unsaved.length > 0);
      }),
    );
  });

  it('count as lost with the page only if they are drafts', () => {
    const storage = new FakeStorage(0);
    const texts = new TextStorage(() => storage);
    texts.set(storageKey('u', ['seen']), 'seen');
    expect(texts.isFull()).toBe(false);
    texts.set(draft('u'), 'typed');
    expect(texts.isFull()).toBe(true);
  });

  it('are stored as soon as there is space again', () => {
    const storage = new FakeStorage(3);
    const texts = new TextStorage(() => storage);
    texts.set(draft('a'), 'aaa');
    texts.set(draft('b'), 'bbb');
    expect([texts.isFull(), storage.kept.get(draft('b'))]).toEqual([true, undefined]);
    texts.set(draft('a'), '');
    expect([texts.isFull(), storage.kept.get(draft('b'))]).toEqual([false, 'bbb']);
  });

  it('last as long as the page if the browser forbids storage', () => {
    const storage = new FakeStorage();
    storage.forbidden = true;
    const texts = new TextStorage(() => storage);
    expect(texts.get(draft('a'))).toBe('');
    texts.set(draft('a'), 'typed');
    expect([texts.get(draft('a')), texts.isFull()]).toEqual(['typed', true]);
    texts.set(draft('a'), '');
    expect([texts.get(draft('a')), texts.isFull()]).toEqual(['', false]);
  });

  it('notify listeners until they unsubscribe', () => {
    const texts = new TextStorage(() => new FakeStorage());
    let calls = 0;
    const stop = texts.subscribe(() => (calls += 1));
    texts.set('a', 'x');
    texts.notify();
    stop();
    texts.set('a', 'y');
    expect(calls).toBe(2);
  });

  it('expire after 30 days without a change if they are drafts, and otherwise never', () => {
    const storage = new FakeStorage();
    let day = 20_000;
    const texts = new TextStorage(
      () => storage,
      () => day * 86_400_000,
    );
    texts.set(draft('a'), 'typed');
    texts.set(storageKey('a', ['orders.columns']), 'columns');
    // From a release that did not store the day of the last change.
    storage.kept.set(draft('b'), 'typed');
    texts.forgetOldDrafts();
    day += 20;
    texts.set(draft('a'), 'typed more');
    day += 11;
    texts.forgetOldDrafts();
    expect([texts.get(draft('a')), texts.get(draft('b'))]).toEqual(['typed more', '']);
    day += 20;
    texts.forgetOldDrafts();
    expect([...storage.kept.keys()]).toEqual([storageKey('a', ['orders.columns'])]);
  });

  it('can be counted by order and discarded if they are drafts of a user', () => {
    const texts = new TextStorage(() => new FakeStorage(0));
    const storage = new FakeStorage();
    const kept = new TextStorage(() => storage);
    for (const some of [texts, kept]) {
      some.set(storageKey('a', ['order', 'PO-1', 'cells']), 'typed');
      some.set(storageKey('a', ['order', 'PO-1', 'head']), 'typed');
      some.set(storageKey('a', ['order', 'PO-2', 'comment', 'SUBMIT']), 'typed');
      some.set(storageKey('a', ['order', 'PO-4', 'message']), `${CHOSEN}internal`);
      some.set(storageKey('b', ['order', 'PO-3', 'cells']), 'typed');
      some.set(storageKey('a', ['orders.columns']), 'columns');
      expect([...some.ordersWithDrafts('a')].toSorted()).toEqual(['PO-1', 'PO-2']);
      some.discardDrafts('a');
      expect([some.ordersWithDrafts('a').size, some.ordersWithDrafts('b').size]).toEqual([0, 1]);
      expect(some.get(storageKey('a', ['orders.columns']))).toBe('columns');
    }
  });
});

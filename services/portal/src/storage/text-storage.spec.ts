import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CHOSEN, TextStorage, storageKey } from './text-storage.js';

/** A browser's storage with room for so many characters. */
class Room {
  readonly kept = new Map<string, string>();
  forbidden = false;
  constructor(public room = Infinity) {}
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
    if (others + value.length > this.room) throw new Error('QuotaExceededError');
    this.kept.set(name, value);
  };
  removeItem = (name: string) => {
    this.check();
    this.kept.delete(name);
  };
}

describe('texts that a browser keeps', () => {
  it('are there in another tab and after a reload, until they are empty', () => {
    const room = new Room();
    const texts = new TextStorage(() => room);
    texts.set('a', 'typed');
    expect(new TextStorage(() => room).get('a')).toBe('typed');
    texts.set('a', '');
    expect([new TextStorage(() => room).get('a'), room.kept.size]).toEqual(['', 0]);
  });

  it('have names of their own for each user and thing', () => {
    const part = fc.string();
    fc.assert(
      fc.property(part, fc.array(part), part, fc.array(part), (user, what, other, otherWhat) => {
        const isSame = JSON.stringify([user, what]) === JSON.stringify([other, otherWhat]);
        expect(storageKey(user, what) === storageKey(other, otherWhat)).toBe(isSame);
      }),
      { examples: [['u', ['a:b'], 'u:a', ['b']]] },
    );
  });

  it('are never lost while the page is open, however little room there is', () => {
    const step = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.string({ maxLength: 6 }));
    fc.assert(
      fc.property(fc.array(step), fc.nat(10), (steps, size) => {
        const room = new Room(size);
        const texts = new TextStorage(() => room);
        const last = new Map<string, string>();
        for (const [name, text] of steps) {
          texts.set(name, text);
          last.set(name, text);
          for (const [known, its] of last) expect(texts.get(known)).toBe(its);
        }
        const unsaved = [...last].filter(([name, text]) => (room.kept.get(name) ?? '') !== text);
        expect(texts.isFull()).toBe(unsaved.length > 0);
      }),
    );
  });

  it('are kept once there is room again', () => {
    const room = new Room(3);
    const texts = new TextStorage(() => room);
    texts.set('a', 'aaa');
    texts.set('b', 'bbb');
    expect([texts.isFull(), room.kept.get('b')]).toEqual([true, undefined]);
    texts.set('a', '');
    expect([texts.isFull(), room.kept.get('b')]).toEqual([false, 'bbb']);
  });

  it('live with the page where the browser forbids to keep anything', () => {
    const room = new Room();
    room.forbidden = true;
    const texts = new TextStorage(() => room);
    expect(texts.get('a')).toBe('');
    texts.set('a', 'typed');
    expect([texts.get('a'), texts.isFull()]).toEqual(['typed', true]);
    texts.set('a', '');
    expect([texts.get('a'), texts.isFull()]).toEqual(['', false]);
  });

  it('tell who listens, and nobody else', () => {
    const texts = new TextStorage(() => new Room());
    let told = 0;
    const stop = texts.subscribe(() => (told += 1));
    texts.set('a', 'x');
    texts.notify();
    stop();
    texts.set('a', 'y');
    expect(told).toBe(2);
  });

  it('are forgotten as drafts once nobody has changed them for 30 days, and as anything else never', () => {
    const room = new Room();
    let day = 20_000;
    const texts = new TextStorage(
      () => room,
      () => day * 86_400_000,
    );
    const draft = (user: string) => storageKey(user, ['order', 'PO-1', 'cells']);
    texts.set(draft('a'), 'typed');
    texts.set(storageKey('a', ['orders.columns']), 'columns');
    // Of a release that noted no day.
    room.kept.set(draft('b'), 'typed');
    texts.forgetOldDrafts();
    day += 20;
    texts.set(draft('a'), 'typed more');
    day += 11;
    texts.forgetOldDrafts();
    expect([texts.get(draft('a')), texts.get(draft('b'))]).toEqual(['typed more', '']);
    day += 20;
    texts.forgetOldDrafts();
    expect([...room.kept.keys()]).toEqual([storageKey('a', ['orders.columns'])]);
  });

  it('are discarded as drafts of one user, and counted by orders', () => {
    const texts = new TextStorage(() => new Room(0));
    const room = new Room();
    const kept = new TextStorage(() => room);
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

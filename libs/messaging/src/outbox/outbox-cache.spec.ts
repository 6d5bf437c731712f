import { expect, it } from '@jest/globals';
import { OutboxCache } from './outbox-cache.js';

const entry = (key: string, version: number, characters = 1) => ({
  key,
  version,
  traceparent: 't',
  messages: [{ topic: 'po.state.v1', headers: {}, value: 'x'.repeat(characters) }],
});

it('the outbox cache returns a message by key and version until it is removed', () => {
  const outboxCache = new OutboxCache();
  outboxCache.add(entry('A', 1));
  expect(outboxCache.find('A', 1)).toEqual(entry('A', 1).messages);
  expect([outboxCache.find('A', 2), outboxCache.find('B', 1)]).toEqual([undefined, undefined]);
  outboxCache.remove('A', 1);
  expect(outboxCache.find('A', 1)).toBeUndefined();
});

it('the outbox cache is emptied when it is full, so that entries nobody removes do not end its use', () => {
  const outboxCache = new OutboxCache(10);
  outboxCache.add(entry('A', 1, 6));
  outboxCache.add(entry('B', 1, 6));
  expect([outboxCache.find('A', 1), outboxCache.find('B', 1)]).toEqual([undefined, entry('B', 1, 6).messages]);
  outboxCache.remove('B', 1);
  outboxCache.remove('B', 1);
  outboxCache.add(entry('C', 1, 4));
  outboxCache.add(entry('D', 1, 6));
  expect([outboxCache.find('C', 1), outboxCache.find('D', 1)]).not.toContain(undefined);
});

it('the outbox cache takes no entry that is larger than its capacity, and keeps the others', () => {
  const outboxCache = new OutboxCache(10);
  outboxCache.add(entry('A', 1, 6));
  outboxCache.add(entry('B', 1, 11));
  expect([outboxCache.find('A', 1), outboxCache.find('B', 1)]).toEqual([entry('A', 1, 6).messages, undefined]);
});

it('the outbox cache has its whole capacity again after it is cleared', () => {
  const outboxCache = new OutboxCache(10);
  outboxCache.add(entry('A', 1, 10));
  outboxCache.clear();
  expect(outboxCache.find('A', 1)).toBeUndefined();
  outboxCache.add(entry('A', 2, 10));
  expect(outboxCache.find('A', 2)).toBeDefined();
});

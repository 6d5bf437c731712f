import { expect, it } from '@jest/globals';
import { HandedOver } from './handed-over.js';

const entry = (key: string, version: number, characters = 1) => ({
  ...{ key, version, traceparent: 't' },
  messages: [{ topic: 'po.state.v1', headers: {}, value: 'x'.repeat(characters) }],
});

it('gives what was added under its key and version, until it is removed', () => {
  const handedOver = new HandedOver();
  handedOver.add(entry('A', 1));
  expect(handedOver.find('A', 1)).toEqual(entry('A', 1).messages);
  expect([handedOver.find('A', 2), handedOver.find('B', 1)]).toEqual([undefined, undefined]);
  handedOver.remove('A', 1);
  expect(handedOver.find('A', 1)).toBeUndefined();
});

it('takes no more than has room, and has room again for what was removed', () => {
  const handedOver = new HandedOver(10);
  handedOver.add(entry('A', 1, 6));
  handedOver.add(entry('B', 1, 6));
  expect(handedOver.find('B', 1)).toBeUndefined();
  handedOver.remove('A', 1);
  handedOver.remove('A', 1);
  handedOver.add(entry('B', 1, 10));
  expect(handedOver.find('B', 1)).toBeDefined();
});

it('has all its room again when it is cleared', () => {
  const handedOver = new HandedOver(10);
  handedOver.add(entry('A', 1, 10));
  handedOver.clear();
  expect(handedOver.find('A', 1)).toBeUndefined();
  handedOver.add(entry('A', 2, 10));
  expect(handedOver.find('A', 2)).toBeDefined();
});

import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newOrder } from '../fixtures/orders.js';
import { arrayOf, elementsOf, inParts, objectWith } from './purchase-order.view.js';

const value = fc.dictionary(
  fc.string(),
  fc.oneof(fc.string({ unit: 'grapheme' }), fc.double({ noNaN: true }), fc.constant(null)),
);
const text = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString();
const plain = (of: unknown): unknown => JSON.parse(JSON.stringify(of));

it('joined parts equal the output of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.array(value), value, (elements, object) => {
      const array = arrayOf(elements.map((element) => elementsOf([element])));
      expect(text(array)).toBe(JSON.stringify(elements));
      expect(JSON.parse(text(objectWith(object, { elements: array, more: [Buffer.from('1')] })))).toEqual(
        plain({ ...object, elements, more: 1 }),
      );
    }),
  );
});

it('only the part of a changed line is serialized again', () => {
  const [line] = newOrder().lines;
  if (!line) throw new Error('the order has no lines');
  const lines = Array.from({ length: 50 }, (_each, position) => ({ ...line, position }));
  const serialize = inParts(({ position }) => ({ position }));
  const before = serialize(lines);
  const after = serialize(lines.with(20, { ...line, position: 99 }));
  expect(text(after)).toBe(text(before).replace('20', '99'));
  // Parts of 16 lines each, between brackets. The last one is always a new slice, without its comma.
  expect(after.map((part, index) => part === before[index])).toEqual([true, true, false, true, false, true]);
});

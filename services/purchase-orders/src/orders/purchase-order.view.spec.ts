import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { onceEach } from '@po/platform';
import { arrayOf, elementOf, objectWith } from './purchase-order.view.js';

const value = fc.dictionary(
  fc.string(),
  fc.oneof(fc.string({ unit: 'grapheme' }), fc.double({ noNaN: true }), fc.constant(null)),
);
const text = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString();
const plain = (of: unknown): unknown => JSON.parse(JSON.stringify(of));

it('joins what JSON.stringify would have written', () => {
  fc.assert(
    fc.property(fc.array(value), value, (elements, object) => {
      const array = arrayOf(elements.map(elementOf));
      expect(text(array)).toBe(JSON.stringify(elements));
      expect(JSON.parse(text(objectWith(object, { elements: array, more: [Buffer.from('1')] })))).toEqual(
        plain({ ...object, elements, more: 1 }),
      );
    }),
  );
});

it('writes each object once', () => {
  let written = 0;
  const once = onceEach((of: object) => {
    written += 1;
    return elementOf(of);
  });
  const [one, other] = [{ size: 'M' }, { size: 'M' }];
  expect(text(arrayOf([once(one), once(other), once(one)]))).toBe('[{"size":"M"},{"size":"M"},{"size":"M"}]');
  expect(written).toBe(2);
});

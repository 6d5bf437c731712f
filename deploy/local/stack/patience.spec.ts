import { expect, it } from '@jest/globals';
import { Patience } from './patience.js';

it('waiting fails if nothing changes within the limit, with the last state of each dependency', () => {
  let now = 0;
  const patience = new Patience(90_000, () => now);
  patience.note('gateway', 'no reply partition yet');
  for (now = 60_000; now < 300_000; now += 60_000) {
    patience.note('orders', `waiting since ${now}`);
    expect(patience.lost()).toBeUndefined();
  }
  for (const end = now + 60_000; now < end; now += 1_000) patience.note('orders', 'waiting since 240000');
  expect(patience.lost()?.message).toBe(
    'no progress for 90 s; last: gateway: no reply partition yet; orders: waiting since 240000',
  );
});

import { expect, it } from '@jest/globals';
import { StallDetector } from './stall-detector.js';

it('waiting fails if nothing changes within the limit, with the last state of each dependency', () => {
  let now = 0;
  const detector = new StallDetector(90_000, () => now);
  detector.record('gateway', 'no reply partition yet');
  for (now = 60_000; now < 300_000; now += 60_000) {
    detector.record('orders', `waiting since ${now}`);
    expect(detector.stalled()).toBeUndefined();
  }
  for (const end = now + 60_000; now < end; now += 1_000) detector.record('orders', 'waiting since 240000');
  expect(detector.stalled()?.message).toBe(
    'no progress for 90 s; last: gateway: no reply partition yet; orders: waiting since 240000',
  );
});

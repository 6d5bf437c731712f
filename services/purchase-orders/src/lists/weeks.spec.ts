import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { weekOf } from './weeks.js';

test('every date is within seven days of the Monday of its week', () => {
  const days = fc.date({ min: new Date('1900-01-08'), max: new Date('9999-12-20'), noInvalidDate: true });
  fc.assert(
    fc.property(days, (day) => {
      const date = day.toISOString().slice(0, 10);
      const since = Date.parse(date) - Date.parse(weekOf(date));
      expect(since / 86_400_000).toBeGreaterThanOrEqual(0);
      expect(since / 86_400_000).toBeLessThan(7);
      expect(new Date(weekOf(date)).getUTCDay()).toBe(1);
    }),
  );
});

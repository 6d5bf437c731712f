import { expect, test } from '@jest/globals';
import { uuidV7 } from './uuid-v7.js';

test('a UUIDv7 has its version, variant and instant, and sorts by the instant', () => {
  const at = new Date('2026-11-21T08:00:00.123Z');
  const id = uuidV7(at);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(at.getTime());
  expect(uuidV7(new Date(at.getTime() + 1)) > id).toBe(true);
  expect(uuidV7(at)).not.toBe(id);
});

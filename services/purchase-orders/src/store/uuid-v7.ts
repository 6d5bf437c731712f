import { randomUUID } from 'node:crypto';

/** A UUIDv7: sorts by its instant, so that ids and times of history entries order alike. */
export function uuidV7(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  // Node keeps random bytes for many UUIDs ahead; randomBytes() would ask the system each time.
  const random = randomUUID();
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}

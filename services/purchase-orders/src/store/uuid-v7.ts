import { randomUUID } from 'node:crypto';

/** A UUIDv7 sorts by its instant, so history entries have the same order by id and by time. */
export function uuidV7(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  // Node buffers random bytes for many UUIDs, while randomBytes() would make a system call each time.
  const random = randomUUID();
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}

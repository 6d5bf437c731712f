import { afterAll, beforeAll } from '@jest/globals';

/** Opens a resource before the first test of a file or block and closes it after the last. It has no members until then. */
export function openForTests<T extends object>(open: () => Promise<T>, close: (opened: T) => Promise<unknown>): T {
  const opened = {} as T;
  beforeAll(async () => void Object.assign(opened, await open()));
  afterAll(() => close(opened));
  return opened;
}

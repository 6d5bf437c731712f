import { afterAll, beforeAll } from '@jest/globals';

/** Jest calls `afterAll` in the order of definition, but a resource may need those that were opened before it. */
const closing: (() => Promise<unknown>)[] = [];

/** Opens a resource before the first test of a file or block and closes it after the last. It has no members until then. */
export function openForTests<T extends object>(open: () => Promise<T>, close: (opened: T) => Promise<unknown>): T {
  const opened = {} as T;
  beforeAll(async () => {
    Object.assign(opened, await open());
    closing.push(() => close(opened));
  });
  afterAll(() => closing.pop()?.());
  return opened;
}

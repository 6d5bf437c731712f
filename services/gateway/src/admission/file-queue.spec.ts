import { describe, expect, it } from '@jest/globals';
import { FileQueue } from './file-queue.js';

const here = new AbortController().signal;

/** A queue that reads its first file until `finish` is called. */
function busyQueue() {
  const queue = new FileQueue();
  const { promise, resolve: finish } = Promise.withResolvers<string>();
  return { queue, finish: () => finish('first'), first: queue.read('u', here, () => promise) };
}

describe('the file queue', () => {
  it('reads files one at a time, in order of arrival, and continues after one that cannot be read', async () => {
    const { queue, first, finish } = busyQueue();
    const started: string[] = [];
    const read = (name: string) =>
      queue.read('u', here, async () => {
        started.push(name);
        if (name === 'bad') throw new Error('bad');
        return name;
      });
    const others = Promise.allSettled(['bad', 'a', 'b'].map(read));
    await Promise.resolve();
    expect(started).toEqual([]);
    finish();
    expect(await first).toBe('first');
    expect((await others).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(started).toEqual(['bad', 'a', 'b']);
    expect(await read('later')).toBe('later');
  });

  it('lets users take turns, so that a file does not wait for all files of another user', async () => {
    const { queue, first, finish } = busyQueue();
    const started: string[] = [];
    const users = ['u', 'u', 'u', 'v', 'v', 'w'];
    const others = users.map((user) => queue.read(user, here, () => started.push(user)));
    finish();
    await Promise.all([first, ...others]);
    expect(started).toEqual(['v', 'w', 'u', 'v', 'u', 'u']);
  });

  it('holds four waiting files per user and 32 in total, and refuses more with 429 or 503 and Retry-After', async () => {
    const { queue, first, finish } = busyQueue();
    const read = (userId: string) => queue.read(userId, here, () => userId);
    const waiting = Array.from({ length: 4 }, () => read('greedy'));
    const options = { headers: { 'retry-after': '2' } };
    await expect(read('greedy')).rejects.toMatchObject({ code: 'TOO_MANY_UPLOADS', options });
    for (let nth = 0; nth < 28; nth += 1) waiting.push(read(`u${nth}`));
    await expect(read('other')).rejects.toMatchObject({ code: 'UNAVAILABLE', options });
    finish();
    await Promise.all([first, ...waiting]);
    expect(await read('other')).toBe('other');
  });

  it('drops a file as soon as its client disconnects, which makes room for the next', async () => {
    const { queue, first, finish } = busyQueue();
    const leaving = Array.from({ length: 4 }, () => new AbortController());
    const read: string[] = [];
    const waiting = leaving.map(({ signal }, nth) => queue.read('u', signal, () => read.push(`gone ${nth}`)));
    const settled = Promise.allSettled(waiting);
    for (const client of leaving) client.abort();
    const another = queue.read('u', here, () => read.push('here'));
    expect((await settled).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    finish();
    await Promise.all([first, another]);
    expect(read).toEqual(['here']);
    await expect(queue.read('u', leaving[0]?.signal ?? here, () => 'gone')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await queue.read('u', here, () => 'next')).toBe('next');
  });
});

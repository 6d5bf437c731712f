import { expect, it } from '@jest/globals';
import { createLogger } from '@po/platform';
import { readMarksFrom } from './read-marks.js';

const silent = createLogger('test', 'silent');
const { signal } = new AbortController();

/** Notifications service that fails until the nth request. */
function serviceThatAnswersFrom(nth: number) {
  const calls = { times: 0 };
  const request = (_pattern: unknown, { ids }: { ids: string[] }) => {
    calls.times += 1;
    if (calls.times < nth) return Promise.reject(new Error('not reachable'));
    const body = Buffer.from(JSON.stringify(ids.map((id) => ({ id, read: true }))));
    return Promise.resolve({ status: 200, headers: {}, body });
  };
  return { calls, client: { request } as never };
}

it('read marks are requested again while the notifications service is starting', async () => {
  const { calls, client } = serviceThatAnswersFrom(3);
  const readMarks = readMarksFrom(client, silent);
  expect(await readMarks(['n-1'], signal)).toEqual(new Map([['n-1', true]]));
  expect(calls.times).toBe(3);
});

it('read marks are null at once if the service answered before, or after the start period', async () => {
  const { client } = serviceThatAnswersFrom(9);
  expect(await readMarksFrom(client, silent, 0)(['n-1'], signal)).toBeNull();
  const answering = { times: 0 };
  const once = {
    request: () =>
      (answering.times += 1) === 1
        ? Promise.resolve({ status: 200, headers: {}, body: Buffer.from('[]') })
        : Promise.reject(new Error('gone')),
  };
  const readMarks = readMarksFrom(once as never, silent);
  expect(await readMarks(['n-1'], signal)).toEqual(new Map());
  expect(await readMarks(['n-1'], signal)).toBeNull();
  expect(answering.times).toBe(2);
});

it('read marks are not requested again when the mail service stops', async () => {
  const { calls, client } = serviceThatAnswersFrom(9);
  expect(await readMarksFrom(client, silent)(['n-1'], AbortSignal.abort())).toBeNull();
  expect(calls.times).toBe(1);
});

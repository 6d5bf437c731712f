import { expect, it } from '@jest/globals';
import { createLogger } from '@po/platform';
import { askedOf } from './read-marks.js';

const silent = createLogger('test', 'silent');
const { signal } = new AbortController();

/** Answers as the notifications service does, once it does. */
function serviceThatAnswersFrom(nth: number) {
  const asked = { times: 0 };
  const request = (_pattern: unknown, { ids }: { ids: string[] }) => {
    asked.times += 1;
    if (asked.times < nth) return Promise.reject(new Error('not reachable'));
    const body = Buffer.from(JSON.stringify(ids.map((id) => ({ id, read: true }))));
    return Promise.resolve({ status: 200, headers: {}, body });
  };
  return { asked, client: { request } as never };
}

it('is asked again at a start, when nobody is reachable yet', async () => {
  const { asked, client } = serviceThatAnswersFrom(3);
  const readMarks = askedOf(client, silent);
  expect(await readMarks(['n-1'], signal)).toEqual(new Map([['n-1', true]]));
  expect(asked.times).toBe(3);
});

it('says at once that nobody answered, where somebody did before, or after so long', async () => {
  const { client } = serviceThatAnswersFrom(9);
  expect(await askedOf(client, silent, 0)(['n-1'], signal)).toBeNull();
  const answering = { times: 0 };
  const once = {
    request: () =>
      (answering.times += 1) === 1
        ? Promise.resolve({ status: 200, headers: {}, body: Buffer.from('[]') })
        : Promise.reject(new Error('gone')),
  };
  const readMarks = askedOf(once as never, silent);
  expect(await readMarks(['n-1'], signal)).toEqual(new Map());
  expect(await readMarks(['n-1'], signal)).toBeNull();
  expect(answering.times).toBe(2);
});

it('is not asked again when the service stops', async () => {
  const { asked, client } = serviceThatAnswersFrom(9);
  expect(await askedOf(client, silent)(['n-1'], AbortSignal.abort())).toBeNull();
  expect(asked.times).toBe(1);
});

import { expect, it } from '@jest/globals';
import { ProblemError } from '@po/contracts';
import { UntilUserKnown } from './until-user-known.js';

it('waits for the announcements of at most three users and refuses others immediately', async () => {
  const untilUserKnown = new UntilUserKnown();
  const wait = async () => {
    let runs = 0;
    const waiting = untilUserKnown.retry('USER_NOT_FOUND', { forMs: 250, deadline: Number.MAX_SAFE_INTEGER }, () => {
      runs += 1;
      return Promise.reject(new ProblemError('USER_NOT_FOUND'));
    });
    await expect(waiting).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    return runs > 1;
  };
  for (const round of ['first', 'second']) {
    const waited = await Promise.all(Array.from({ length: 5 }, wait));
    expect([round, waited]).toEqual([round, [true, true, true, false, false]]);
  }
});

import { expect, it } from '@jest/globals';
import { STATUSES } from '@po/contracts';
import { OPEN_STATUSES } from './open-statuses.js';

it('the open statuses are those of the services', () => {
  const open = STATUSES.filter(({ isOpen }) => isOpen);
  expect([...OPEN_STATUSES]).toEqual(open.map(({ statusId }) => statusId));
});

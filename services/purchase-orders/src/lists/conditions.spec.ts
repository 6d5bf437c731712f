import { expect, test } from '@jest/globals';
import { type ListSelection, STATUSES } from '@po/contracts';
import { RULES } from '../domain/reminders/reminder-rules.js';
import { HAS_BUYER, BUYER_KEY, HAS_REMINDERS, UNSHIPPED, isFiltered, resolveMe } from './conditions.js';

/** One value of each filter: a new filter must be added here to compile. */
const FILTERS: Required<Omit<ListSelection, 'search' | 'sortField' | 'sortDir'>> = {
  status: ['New'],
  vendor: 'Acme',
  buyer: 'dana@example.com',
  poRef: ['PO-1'],
  overdue: false,
  hasPendingChanges: false,
  hasSourceConflict: false,
  due: ['REPLY_DUE'],
};

test.each(Object.entries(FILTERS))('a list with only the filter %s is filtered', (filter, value) => {
  expect(isFiltered({ [filter]: value })).toBe(true);
});

test('a search, a sorting and empty filters do not make a list filtered', () => {
  const empty = { status: [], vendor: '', due: [] };
  expect(isFiltered({ search: 'PO-1', sortField: 'amount', sortDir: 'desc', ...empty })).toBe(false);
  expect(isFiltered({ vendor: ' \t' })).toBe(false);
});

test('the condition on unshipped orders is that of the partial index, and selects exactly the open statuses', () => {
  expect(UNSHIPPED).toBe('o.status_id < 500');
  expect(STATUSES.filter(({ statusId }) => statusId < 500)).toEqual(STATUSES.filter(({ isOpen }) => isOpen));
});

test('the condition on buyers is that of the partial index, and the buyer key is its expression', () => {
  expect([HAS_BUYER, BUYER_KEY]).toEqual(['octet_length(o.buyer_email) <= 1000', 'lower(o.buyer_email)']);
});

test('the buyer "me" is replaced by the address of the caller, or by an empty one; other buyers stay', () => {
  const email = 'dana@example.com';
  expect(resolveMe({ buyer: 'me', overdue: true }, { email })).toEqual({ buyer: email, overdue: true });
  expect(resolveMe({ buyer: 'li@example.com' }, { email })).toEqual({ buyer: 'li@example.com' });
  expect(resolveMe({ overdue: true }, { email })).toEqual({ overdue: true });
  const nobody = resolveMe({ buyer: 'me' }, { email: null });
  expect([nobody, isFiltered(nobody)]).toEqual([{ buyer: '' }, true]);
});

test('the condition on reminded orders is that of the partial indexes, and selects exactly the statuses of the rules', () => {
  expect(HAS_REMINDERS).toBe('o.status_id < 600');
  const reminded = new Set<number>(Object.values(RULES).flatMap(({ statuses }) => statuses));
  expect(STATUSES.filter(({ statusId }) => statusId < 600)).toEqual(
    STATUSES.filter(({ statusId }) => reminded.has(statusId)),
  );
});

import { type Actor, ROLES, type Role } from '@po/contracts';
import { describe, expect, it } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { type ViewAccess, accessTo, sideOf } from './view-access.js';

const actorOf = (role: Role, sub: string, vendorCode: string | null = null): Actor => ({
  ...actors.acme,
  role,
  sub,
  vendorCode,
});

/** Access of other users to a view of U, by the view's side, whether it is shared, and the caller. */
const OF_OTHERS: readonly [side: string, shared: boolean, caller: Role, vendorCode: string | null, may: ViewAccess][] =
  [
    ['INTERNAL', false, 'BUYER', null, 'none'],
    ['INTERNAL', false, 'ADMIN', null, 'none'],
    ['INTERNAL', false, 'VIEWER', null, 'none'],
    ['INTERNAL', false, 'VENDOR', 'ACME', 'none'],
    ['INTERNAL', true, 'BUYER', null, 'see'],
    ['INTERNAL', true, 'ADMIN', null, 'change'],
    ['INTERNAL', true, 'VIEWER', null, 'see'],
    ['INTERNAL', true, 'VENDOR', 'ACME', 'none'],
    ['INTERNAL', true, 'VENDOR', 'INTERNAL', 'none'],
    ['VENDOR:ACME', false, 'VENDOR', 'ACME', 'none'],
    ['VENDOR:ACME', false, 'ADMIN', null, 'none'],
    ['VENDOR:ACME', true, 'VENDOR', 'ACME', 'see'],
    ['VENDOR:ACME', true, 'VENDOR', 'BOLT', 'none'],
    ['VENDOR:ACME', true, 'BUYER', null, 'none'],
    ['VENDOR:ACME', true, 'ADMIN', null, 'none'],
    ['VENDOR:ACME', true, 'VIEWER', null, 'none'],
  ];

describe('a view', () => {
  it.each(OF_OTHERS)(
    'on side %s, shared %s: another user, a %s of %s, has access %s',
    (side, shared, role, vendorCode, may) => {
      expect(accessTo({ ownerId: 'U', side, shared }, actorOf(role, 'another', vendorCode))).toBe(may);
    },
  );

  it.each(ROLES)('can be changed by its owner, a %s, whether it is shared or not', (role) => {
    const owner = actorOf(role, 'U', role === 'VENDOR' ? 'ACME' : null);
    for (const shared of [true, false])
      expect(accessTo({ ownerId: 'U', side: sideOf(owner), shared }, owner)).toBe('change');
  });

  it('on a side that its owner has left is inaccessible to the owner, even as an ADMIN', () => {
    const left = { ownerId: 'U', side: 'VENDOR:ACME' };
    for (const shared of [true, false]) {
      expect(accessTo({ ...left, shared }, actorOf('ADMIN', 'U'))).toBe('none');
      expect(accessTo({ ...left, shared }, actorOf('VENDOR', 'U', 'BOLT'))).toBe('none');
    }
  });

  it('has no side for a vendor without a vendor code', () => {
    expect(() => sideOf(actorOf('VENDOR', 'U'))).toThrow(expect.objectContaining({ code: 'VENDOR_NOT_LINKED' }));
  });
});

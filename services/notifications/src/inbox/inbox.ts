import { type Actor, vendorScopeOf } from '@po/contracts';
import type { Scope } from '@po/database';

/**
 * The part of a user's notifications that their present role and vendor code may see. A notification keeps the audience it was
 * made for, so what a user got as another role or for another vendor stays hidden, uncounted and unmarked.
 */
export interface Inbox {
  userId: string;
  audience: string;
  scope: Scope;
}

/** SQL twin of `inboxOf().audience`, over a row `u` of users. */
export const AUDIENCE_OF_USER = `CASE WHEN u.role = 'VENDOR' THEN 'VENDOR:' || u.vendor_code ELSE u.role END`;

/** The inbox of a caller. Throws VENDOR_NOT_LINKED for a vendor without a vendor code. */
export function inboxOf(actor: Actor): Inbox {
  const { sub, role } = actor;
  const vendorCode = vendorScopeOf(actor);
  return {
    userId: sub,
    audience: vendorCode === null ? role : `VENDOR:${vendorCode}`,
    scope: { setting: 'app.user', value: sub },
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** False for what no notification can be called: such an id must be "not found", not an error of the database. */
export const isNotificationId = (id: string): boolean => UUID.test(id);

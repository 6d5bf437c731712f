import { type Actor, vendorScopeOf } from '@po/contracts';
import type { Scope } from '@po/database';

/**
 * The notifications that a user may see with their current role and vendor code. A notification keeps its original audience: what the user
 * got in another role or for another vendor stays hidden, uncounted and unmarked.
 */
export interface Inbox {
  userId: string;
  /** Role, or `VENDOR:<code>`; also the column `audience` of inboxes and notifications. */
  audience: string;
  scope: Scope;
}

/** SQL counterpart of `inboxOf().audience` for a row `u` of users. */
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

/** False for an impossible id: it must result in "not found", not in a database error. */
export const isNotificationId = (id: string): boolean => UUID.test(id);

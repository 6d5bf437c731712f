import { type Actor, vendorScopeOf } from '@po/contracts';

/** Whose a view is and who else sees it. */
export interface Ownership {
  ownerId: string;
  side: string;
  shared: boolean;
}

/** What a caller may do with a view: change (or delete) it, only see it, or not even know of it. */
export type ViewAccess = 'change' | 'see' | 'none';

/** The users with whom a caller shares views: all internal roles, or one vendor code. Throws VENDOR_NOT_LINKED for a vendor without one. */
export function sideOf(actor: Pick<Actor, 'role' | 'vendorCode'>): string {
  const vendorCode = vendorScopeOf(actor);
  return vendorCode === null ? 'INTERNAL' : `VENDOR:${vendorCode}`;
}

/** An owner who changed sides does not see what they left there: it would connect the two. */
export function accessTo({ ownerId, side, shared }: Ownership, actor: Actor): ViewAccess {
  if (side !== sideOf(actor)) return 'none';
  if (ownerId === actor.sub) return 'change';
  if (!shared) return 'none';
  return actor.role === 'ADMIN' ? 'change' : 'see';
}

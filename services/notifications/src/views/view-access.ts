import { type Actor, vendorScopeOf } from '@po/contracts';

/** Owner and visibility of a view. */
export interface Ownership {
  ownerId: string;
  side: string;
  shared: boolean;
}

/** Access of a caller to a view: change (or delete) it, only see it, or not even know that it exists. */
export type ViewAccess = 'change' | 'see' | 'none';

/** The group in which a caller shares views: all internal roles, or one vendor code. Throws VENDOR_NOT_LINKED for a vendor without one. */
export function sideOf(actor: Pick<Actor, 'role' | 'vendorCode'>): string {
  const vendorCode = vendorScopeOf(actor);
  return vendorCode === null ? 'INTERNAL' : `VENDOR:${vendorCode}`;
}

/** Access of a caller to a view. An owner who changed sides cannot see their old views, because that would leak data between the sides. */
export function accessTo({ ownerId, side, shared }: Ownership, actor: Actor): ViewAccess {
  if (side !== sideOf(actor)) return 'none';
  if (ownerId === actor.sub) return 'change';
  if (!shared) return 'none';
  return actor.role === 'ADMIN' ? 'change' : 'see';
}

import type { Role } from '@po/contracts';

/** The two sides of an order. */
export type Side = 'vendor' | 'internal';

/** The side to which a role belongs. */
export const sideOf = (role: Role): Side => (role === 'VENDOR' ? 'vendor' : 'internal');

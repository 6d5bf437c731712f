import type { Deed } from './orders.js';
import type { DemoUserName } from './users.js';

/** What brings a new order to a status. */
export const submitted = (vendor: DemoUserName, comment?: string): Deed[] => [
  { by: vendor, action: 'SUBMIT', ...(comment ? { comment } : {}) },
];
export const confirmed = (vendor: DemoUserName, buyer: DemoUserName, comment?: string): Deed[] => [
  ...submitted(vendor, comment),
  { by: buyer, action: 'APPROVE' },
];
export const producing = (vendor: DemoUserName, buyer: DemoUserName): Deed[] => [
  ...confirmed(vendor, buyer),
  { by: vendor, action: 'MOVE_TO_PRODUCTION' },
];
export const shipped = (vendor: DemoUserName, buyer: DemoUserName, container: string, tracking: string): Deed[] => [
  ...producing(vendor, buyer),
  { by: vendor, shipment: { container, tracking } },
  { by: vendor, action: 'MARK_SHIPPED' },
];

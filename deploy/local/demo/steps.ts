import type { Step } from './orders.js';
import type { DemoUserName } from './users.js';

/** Steps that bring a new order to a status. */
export const submitted = (vendor: DemoUserName, comment?: string): Step[] => [
  { by: vendor, action: 'SUBMIT', ...(comment ? { comment } : {}) },
];
export const confirmed = (vendor: DemoUserName, buyer: DemoUserName, comment?: string): Step[] => [
  ...submitted(vendor, comment),
  { by: buyer, action: 'APPROVE' },
];
export const producing = (vendor: DemoUserName, buyer: DemoUserName): Step[] => [
  ...confirmed(vendor, buyer),
  { by: vendor, action: 'MOVE_TO_PRODUCTION' },
];
export const shipped = (vendor: DemoUserName, buyer: DemoUserName, container: string, tracking: string): Step[] => [
  ...producing(vendor, buyer),
  { by: vendor, shipment: { container, tracking } },
  { by: vendor, action: 'MARK_SHIPPED' },
];

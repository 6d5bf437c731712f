import type { AvailableAction, OrderSummary } from '../../api/schemas.js';

/** What its user was asked to confirm, for orders as they were seen then. */
export interface Asked {
  orders: readonly OrderSummary[];
  /** Absent for the one order of a row, which is accepted: how it is submitted is still to be asked. */
  action?: AvailableAction;
  /** Submits orders only as they were ordered, and each only as it was seen. */
  isAcceptance?: boolean;
  /** What else is selected: its status does not allow it, what was typed there is not saved, or it is not as ordered. */
  leftOut?: { byStatus: number; unsaved: number; asChanged: number };
}

import { approvalPolicies } from './approval-policies.operations.js';
import { conversation } from './conversation.operations.js';
import { dashboard } from './dashboard.operations.js';
import { getCurrentUser, lookups } from './lookups.operations.js';
import { mail } from './mail.operations.js';
import { notifications, streamNotifications } from './notifications.operations.js';
import type { Operation } from './operation.js';
import { preferences } from './preferences.operations.js';
import { executeTransitions, purchaseOrders } from './purchase-orders.operations.js';
import { spreadsheets } from './spreadsheets.operations.js';
import { deleteUser } from './users.operations.js';
import { views } from './views.operations.js';

/** Each is answered by one service; keys are operation ids, here and below. */
export const PROXIED = {
  ...purchaseOrders,
  ...conversation,
  ...notifications,
  ...preferences,
  ...dashboard,
  ...lookups,
  ...views,
  ...mail,
  ...approvalPolicies,
};

/** Everything that the API can do. Reading it starts nothing. */
export const OPERATIONS = {
  ...PROXIED,
  ...spreadsheets,
  executeTransitions,
  getCurrentUser,
  streamNotifications,
  deleteUser,
} satisfies Record<string, Operation>;

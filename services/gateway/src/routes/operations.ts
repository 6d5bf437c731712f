import { approvalPolicies } from './approval-policies.operations.js';
import { conversation } from './orders/conversation.operations.js';
import { dashboard } from './dashboard.operations.js';
import { getCurrentUser, lookups } from './lookups.operations.js';
import { mail } from './notifications/mail.operations.js';
import { notifications, streamNotifications } from './notifications/notifications.operations.js';
import type { Operation } from './operation.js';
import { preferences } from './users/preferences.operations.js';
import { executeTransitions, purchaseOrders } from './orders/purchase-orders.operations.js';
import { spreadsheets } from './orders/spreadsheets.operations.js';
import { deleteUser } from './users/users.operations.js';
import { views } from './users/views.operations.js';

/** Operations that one service each answers. Keys are operation ids, here and below. */
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

/** Every operation of the API. Reading it starts nothing. */
export const OPERATIONS = {
  ...PROXIED,
  ...spreadsheets,
  executeTransitions,
  getCurrentUser,
  streamNotifications,
  deleteUser,
} satisfies Record<string, Operation>;

import type { Rules } from './rule.js';
import { MANY, OWN, ownVendorUsers, internalRoles, lengthOf, read } from './verdicts.js';

/** Rules for the caller's own data, and for the ADMIN's operations on users and mail. */
export const USERS: Rules = {
  // The order's buyer is notified of the vendor's actions, the vendor's users of actions by others.
  listNotifications: [
    read(() => '/notifications', { ...MANY, ADMIN: 'hidden', VIEWER: 'hidden' }, { countOrders: lengthOf }),
  ],
  markNotificationRead: [
    {
      part: 'of the own vendor',
      state: 'Pending Approval',
      request: ({ notificationId }) => ({ path: `/notifications/${notificationId}/read` }),
      verdicts: {
        ...ownVendorUsers('unknown'),
        'other vendor': 'unknown',
        ...internalRoles('unknown'),
        'own vendor': 'done',
      },
    },
    {
      part: 'all',
      state: 'Pending Approval',
      request: () => ({ path: '/notifications/all/read' }),
      verdicts: {
        ...ownVendorUsers('hidden'),
        'other vendor': 'hidden',
        ...internalRoles('hidden'),
        'own vendor': 'done',
      },
    },
  ],
  streamNotifications: [read(() => '/notifications/stream', MANY)],
  getPreferences: [read(() => '/me/preferences', OWN)],
  replacePreferences: [
    {
      part: '',
      state: 'Pending Approval',
      leavesOrdersUnchanged: true,
      request: () => ({
        path: '/me/preferences',
        body: {
          locale: 'zh',
          timeZone: 'Asia/Shanghai',
          mail: { TRANSITION: 'off', MESSAGE: 'digest', REMINDER: 'now' },
          digestAt: '07:00',
        },
      }),
      verdicts: { ...OWN, 'own vendor': 'done' },
    },
  ],
  // The answer contains the BUYER's e-mail address, which is also that of the order.
  getCurrentUser: [
    read(() => '/me', {
      ...ownVendorUsers('shown'),
      'other vendor': 'hidden',
      ...internalRoles('hidden'),
      BUYER: 'shown',
    }),
  ],
  deleteUser: [
    {
      part: '',
      state: 'Pending Approval',
      leavesOrdersUnchanged: true,
      request: ({ userId }) => ({ path: `/users/${userId}` }),
      verdicts: { ...ownVendorUsers('refused'), 'other vendor': 'refused', ...internalRoles('refused'), ADMIN: 'done' },
    },
  ],
  listSuppressions: [
    {
      part: '',
      state: 'Pending Approval',
      leavesOrdersUnchanged: true,
      request: () => ({ path: '/mail/suppressions' }),
      verdicts: { ...ownVendorUsers('refused'), 'other vendor': 'refused', ...internalRoles('refused'), ADMIN: 'same' },
    },
  ],
  deleteSuppression: [
    {
      part: '',
      state: 'Pending Approval',
      leavesOrdersUnchanged: true,
      request: ({ suppressed }) => ({ path: `/mail/suppressions/${encodeURIComponent(suppressed)}` }),
      verdicts: { ...ownVendorUsers('refused'), 'other vendor': 'refused', ...internalRoles('refused'), ADMIN: 'done' },
    },
  ],
};

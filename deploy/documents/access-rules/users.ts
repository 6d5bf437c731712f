import type { Rule, Rules } from './rule.js';
import { BY_ADMIN, MANY, OWN, everyone, lengthOf, ownVendorUsers, read, rule } from './verdicts.js';

const beside: Partial<Rule> = { leavesOrdersUnchanged: true };

/** Rules for the caller's own data, and for the ADMIN's operations on users and mail. */
export const USERS: Rules = {
  // The order's buyer is notified of the vendor's actions, the vendor's users of actions by others.
  listNotifications: [
    read(() => '/notifications', { ...MANY, ADMIN: 'hidden', VIEWER: 'hidden' }, { countOrders: lengthOf }),
  ],
  markNotificationRead: [
    rule(
      ({ notificationId }) => ({ path: `/notifications/${notificationId}/read` }),
      { ...everyone('unknown'), 'own vendor': 'done' },
      { part: 'of the own vendor' },
    ),
    rule(() => ({ path: '/notifications/all/read' }), { ...OWN, 'own vendor': 'done' }, { part: 'all' }),
  ],
  streamNotifications: [read(() => '/notifications/stream', MANY)],
  getPreferences: [read(() => '/me/preferences', OWN)],
  replacePreferences: [
    rule(
      () => ({
        path: '/me/preferences',
        body: {
          locale: 'zh',
          timeZone: 'Asia/Shanghai',
          mail: { TRANSITION: 'off', MESSAGE: 'digest', REMINDER: 'now' },
          digestAt: '07:00',
        },
      }),
      { ...OWN, 'own vendor': 'done' },
      beside,
    ),
  ],
  // The answer contains the BUYER's e-mail address, which is also that of the order.
  getCurrentUser: [read(() => '/me', { ...OWN, ...ownVendorUsers('shown'), BUYER: 'shown' })],
  deleteUser: [rule(({ userId }) => ({ path: `/users/${userId}` }), BY_ADMIN, beside)],
  listSuppressions: [read(() => '/mail/suppressions', { ...BY_ADMIN, ADMIN: 'same' }, beside)],
  deleteSuppression: [
    rule(({ suppressed }) => ({ path: `/mail/suppressions/${encodeURIComponent(suppressed)}` }), BY_ADMIN, beside),
  ],
};

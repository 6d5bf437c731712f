import type { QueuedNotification } from '@po/mail/dist/queue/queued-notification.js';

/** A rejection by a buyer as the mail service stores it; `fields` overrides values. */
const notification = (fields: Partial<QueuedNotification>): QueuedNotification => ({
  id: 'n-1',
  userId: 'u-1',
  email: 'vendor@example.com',
  locale: 'en',
  createdAt: '2026-11-18T08:42:00.000Z',
  kind: 'TRANSITION',
  historyId: null,
  poRef: 'PO-4500018208',
  poNumber: 'PO-4500018208',
  vendor: 'Bolt Garments S.A.',
  action: 'REJECT',
  fromStatusId: 200,
  toStatusId: 150,
  toStatus: 'In Revision',
  toStatusZh: '修订中',
  comment: null,
  actorName: 'Marta Lind',
  actorRole: 'BUYER',
  title: 'PO-4500018208: Reject → In Revision by Marta Lind',
  titleZh: 'PO-4500018208：Marta Lind 驳回 → 修订中',
  changes: null,
  ...fields,
});

const line = (field: string, from: number, to: number, size: string) => ({
  field,
  from,
  to,
  rowHash: size,
  code: 'KT-1042',
  style: 'KT-1042',
  color: 'NVY',
  size,
});

/** Notifications in the mail about one order. */
export const REJECTION = (locale: 'en' | 'zh'): QueuedNotification[] => [
  notification({
    comment:
      locale === 'zh'
        ? '晚三周赶不上新品上市，最多只能延十天。\n请确认 M 码和 L 码能否按原数量交货。'
        : 'Three weeks is too late for the launch: ten days at most.\nCan you keep the quantities of M and L?',
    changes: {
      header: [
        { field: 'xfDate', from: '2027-03-01', to: '2027-03-22' },
        { field: 'factory', from: 'Tirupur Unit 4', to: 'Karur Dyehouse' },
      ],
      lines: [line('qty', 1_200, 1_080, 'M'), line('qty', 960, 860, 'L'), line('unitPrice', 3.85, 3.95, 'L')],
      more: 2,
    },
  }),
];

/** Notifications in a digest: an order that waits, an order that changed twice, and an order with a message. */
export const DAY: readonly QueuedNotification[] = [
  notification({
    kind: 'REMINDER',
    poRef: 'PO-4500018211',
    poNumber: 'PO-4500018211',
    title: 'PO-4500018211: reply due since 16 November',
    titleZh: 'PO-4500018211：自11月16日起待回复',
    action: null,
    fromStatusId: null,
    toStatusId: 150,
    actorName: null,
    actorRole: 'SYSTEM',
    reminder: { rule: 'REPLY_DUE', dueOn: '2026-11-17', step: 1 },
  }),
  notification({ action: 'RECALL' }),
  notification({}),
  notification({
    kind: 'MESSAGE',
    poRef: 'PO-4500018230',
    poNumber: 'PO-4500018230',
    vendor: 'Shenzhen Hualian Knitting Co., Ltd.',
    title: 'PO-4500018230: message by Marta Lind',
    titleZh: 'PO-4500018230：Marta Lind 的消息',
    action: null,
    toStatusId: 350,
    toStatus: 'In Production',
    toStatusZh: '生产中',
  }),
];

import { Notification } from '@po/contracts';
import { describe, expect, it } from '@jest/globals';
import { type NotificationContent, notificationView, titlesOf } from './notification.view.js';

const submitted: NotificationContent = {
  entryId: 'h-1',
  kind: 'TRANSITION',
  poRef: 'PO-1001',
  poNumber: 'PO-1001',
  vendor: 'Acme Apparel',
  action: 'SUBMIT',
  fromStatusId: 100,
  toStatusId: 200,
  toStatus: 'Pending Approval',
  toStatusZh: '待审批',
  statusColor: '#A16207',
  comment: null,
  actorName: 'Li Wei',
  actorRole: 'VENDOR',
  dueOn: null,
  step: null,
  title: null,
  titleZh: null,
};
const createdAt = new Date('2026-11-21T08:00:00.123Z');

const bySystem = { actorName: null, actorRole: 'SYSTEM' };

describe('notification titles', () => {
  it.each<[string, Partial<NotificationContent>, title: string, titleZh: string]>([
    ['show the step and its actor', {}, 'Submit → Pending Approval by Li Wei', 'Li Wei 提交 → 待审批'],
    [
      'show no actor for a change by the inventory system',
      { action: 'IMPORT', fromStatusId: null, toStatusId: 100, toStatus: 'New', toStatusZh: '新订单', ...bySystem },
      'Import → New',
      '导入 → 新订单',
    ],
    [
      'show an unknown action by its name',
      { action: 'REOPEN' },
      'REOPEN → Pending Approval by Li Wei',
      'Li Wei REOPEN → 待审批',
    ],
    [
      'show an unchanged status as such, not as a step',
      { action: 'SOURCE_CONFLICT', fromStatusId: 200, ...bySystem },
      'Source Conflict (still Pending Approval)',
      '源单冲突（仍为待审批）',
    ],
  ])('%s, in both languages', (_rule, changes, title, titleZh) => {
    const content = { ...submitted, ...changes };
    expect(titlesOf(content)).toEqual({ title: `PO-1001: ${title}`, titleZh: `PO-1001：${titleZh}` });
  });
});

describe('a notification', () => {
  it('has every documented key, whether read or unread', () => {
    const unread = notificationView(submitted, { id: 'n-1', createdAt, readAt: null });
    expect(Notification.strict().parse(unread)).toMatchObject({
      id: 'n-1',
      read: false,
      readAt: null,
      createdAt: '2026-11-21T08:00:00.123Z',
    });
    const read = notificationView(submitted, { id: 'n-1', createdAt, readAt: new Date('2026-11-21T09:00:00Z') });
    expect(read).toEqual({ ...unread, read: true, readAt: '2026-11-21T09:00:00.000Z' });
  });

  it('of a reminder has every documented key and its own titles', () => {
    const content: NotificationContent = {
      ...submitted,
      entryId: 'r-1',
      kind: 'REMINDER',
      action: 'APPROVAL_DUE',
      dueOn: '2026-11-20',
      step: 2,
      title: 'PO-1001 waits for approval',
      titleZh: 'PO-1001 等待审批',
    };
    const shown = notificationView(content, { id: 'n-2', createdAt, readAt: null });
    expect(Notification.strict().parse(shown)).toMatchObject({
      kind: 'REMINDER',
      historyId: null,
      messageId: null,
      reminder: { rule: 'APPROVAL_DUE', dueOn: '2026-11-20', step: 2 },
      action: null,
      fromStatusId: null,
      title: 'PO-1001 waits for approval',
      titleZh: 'PO-1001 等待审批',
    });
  });
});

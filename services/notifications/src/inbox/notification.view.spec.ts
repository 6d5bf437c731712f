import { describe, expect, it } from '@jest/globals';
import { type NotificationContent, titlesOf } from './notification.view.js';

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

import { dictionary } from '../language/dictionary.js';

export const BELL = dictionary(
  {
    title: 'Notifications',
    unread: (count: string) => `Notifications, ${count} unread`,
    none: { title: 'You are up to date', text: 'What others do with your orders appears here.' },
    nothing: { title: 'No notifications of this kind', text: 'Choose another kind, or show older notifications.' },
    readAll: 'Mark all as read',
    read: (title: string) => `Mark as read: ${title}`,
    isUnread: 'Unread',
    kind: 'Kind',
    kinds: {
      all: 'All',
      unread: 'Unread',
      replies: 'Replies',
      decisions: 'Decisions',
      goods: 'Goods',
      source: 'Inventory',
    },
    more: 'Show older notifications',
  },
  {
    title: '通知',
    unread: (count: string) => `通知，${count} 条未读`,
    none: { title: '没有新通知', text: '他人对您订单的操作会显示在这里。' },
    nothing: { title: '没有此类通知', text: '请选择其他类型，或查看更早的通知。' },
    readAll: '全部标为已读',
    read: (title: string) => `标为已读：${title}`,
    isUnread: '未读',
    kind: '类型',
    kinds: { all: '全部', unread: '未读', replies: '回复', decisions: '审批', goods: '货物', source: '库存' },
    more: '查看更早的通知',
  },
);

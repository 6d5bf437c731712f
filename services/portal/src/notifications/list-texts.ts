import { dictionary } from '../language/dictionary.js';

export const INBOX = dictionary({
  title: ['Notifications', '通知'],
  none: {
    title: ['You are up to date', '没有新通知'],
    text: ['What others do with your orders appears here.', '他人对您订单的操作会显示在这里。'],
  },
  nothing: {
    title: ['No notifications of this kind', '没有此类通知'],
    text: ['Choose another kind, or show older notifications.', '请选择其他类型，或查看更早的通知。'],
  },
  noReminders: {
    title: ['No reminders', '暂无提醒'],
    text: ['Orders with something due appear here.', '需要处理的订单会在这里提醒您。'],
  },
  noMessages: {
    title: ['No messages', '暂无消息'],
    text: ['What others write about your orders appears here.', '他人就您的订单所写的消息会显示在这里。'],
  },
  reminder: ['Reminder', '提醒'],
  message: ['Message', '消息'],
  dueOn: (date: string) => [`Reminder of ${date}`, `提醒日期：${date}`],
  readAll: ['Mark all as read', '全部标为已读'],
  read: (title: string) => [`Mark as read: ${title}`, `标为已读：${title}`],
  isUnread: ['Unread', '未读'],
  kind: ['Kind', '类型'],
  kinds: {
    all: ['All', '全部'],
    unread: ['Unread', '未读'],
    messages: ['Messages', '消息'],
    reminders: ['Reminders', '提醒'],
    replies: ['Replies', '回复'],
    decisions: ['Decisions', '审批'],
    goods: ['Production and shipping', '生产与发货'],
    source: ['Inventory system', '库存系统'],
  },
  more: ['Show older notifications', '查看更早的通知'],
});

import { dictionary } from '../language/dictionary.js';

export const PREFERENCES = dictionary({
  title: ['Preferences', '偏好设置'],
  place: ['Language and time', '语言与时间'],
  names: {
    locale: ['Language', '语言'],
    timeZone: ['Time zone', '时区'],
    TRANSITION: ['Status changes', '状态变化'],
    MESSAGE: ['Messages', '消息'],
    REMINDER: ['Reminders', '提醒'],
    digestAt: ['Time of the daily summary', '每日汇总时间'],
  },
  notes: {
    locale: ['For e-mails and this portal.', '用于邮件和本系统。'],
    TRANSITION: ['An order is submitted, approved, shipped and so on.', '订单提交、审批、发货等。'],
    MESSAGE: ['Somebody writes about an order, or mentions you.', '有人就订单留言或提到您。'],
    REMINDER: [
      'A reply, an approval, an ex-factory date or a delivery confirmation is due.',
      '需要回复、审批或确认收货，以及离厂日期临近或已过。',
    ],
    digestAt: [
      'In your time zone. Nothing is sent when you have read everything.',
      '按您的时区。没有未读内容时不发送。',
    ],
  },
  timeZone: (time: string | null) => [
    `${time === null ? '' : `It is ${time} there. `}For e-mails; this portal uses the time zone of this device.`,
    `${time === null ? '' : `当地时间 ${time}。`}仅用于邮件；本系统按此设备的时区显示时间。`,
  ],
  ownZone: (zone: string) => [`Use this device's time zone: ${zone}`, `使用此设备的时区：${zone}`],
  noZone: ['No such time zone', '没有该时区'],
  mail: ['E-mail', '邮件'],
  modes: {
    now: ['Immediately', '即时'],
    digest: ['Daily summary', '每日汇总'],
    off: ['Off', '关闭'],
  },
  preview: {
    title: ['E-mail preview', '邮件示例'],
    picture: [
      'An e-mail about a rejected order: who rejected it and when, the comment, a table of what changed, and the button that opens the order.',
      '一封订单被驳回的邮件：驳回人和时间、备注、变更明细表，以及打开订单的按钮。',
    ],
  },
  noTime: ['Enter a time from 00:00 to 23:59.', '请输入 00:00 到 23:59 之间的时间。'],
  save: ['Save', '保存'],
  discard: ['Discard', '放弃'],
  saved: ['Saved', '已保存'],
  newer: {
    title: ['Changed elsewhere in the meantime', '这些设置已在其他地方修改'],
    value: (name: string, value: string) => [`${name}: ${value}`, `${name}：${value}`],
    mine: ['Keep what I chose', '保留我的选择'],
    theirs: ['Use the newer settings', '使用较新的设置'],
  },
});

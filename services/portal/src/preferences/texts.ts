import { dictionary } from '../language/dictionary.js';

export const PREFERENCES = dictionary(
  {
    title: 'Preferences',
    place: 'Language and time',
    names: {
      locale: 'Language',
      timeZone: 'Time zone',
      TRANSITION: 'Status changes',
      MESSAGE: 'Messages',
      REMINDER: 'Reminders',
      digestAt: 'Time of the daily summary',
    },
    notes: {
      locale: 'For e-mails and this portal.',
      TRANSITION: 'An order is submitted, approved, shipped and so on.',
      MESSAGE: 'Somebody writes about an order, or mentions you.',
      REMINDER: 'A reply, an approval, an ex-factory date or a delivery confirmation is due.',
      digestAt: 'In your time zone. Nothing is sent when you have read everything.',
    },
    timeZone: (time: string | null) =>
      `${time === null ? '' : `It is ${time} there. `}For e-mails; this portal uses the time zone of this device.`,
    ownZone: (zone: string) => `Use this device's time zone: ${zone}`,
    noZone: 'No such time zone',
    mail: 'E-mail',
    modes: { now: 'Immediately', digest: 'Daily summary', off: 'Off' },
    preview: {
      title: 'E-mail preview',
      picture:
        'An e-mail about a rejected order: who rejected it and when, the comment, a table of what changed, and the button that opens the order.',
    },
    noTime: 'Enter a time from 00:00 to 23:59.',
    save: 'Save',
    discard: 'Discard',
    saved: 'Saved',
    newer: {
      title: 'Changed elsewhere in the meantime',
      value: (name: string, value: string) => `${name}: ${value}`,
      mine: 'Keep what I chose',
      theirs: 'Use the newer settings',
    },
  },
  {
    title: '偏好设置',
    place: '语言与时间',
    names: {
      locale: '语言',
      timeZone: '时区',
      TRANSITION: '状态变化',
      MESSAGE: '消息',
      REMINDER: '提醒',
      digestAt: '每日汇总时间',
    },
    notes: {
      locale: '用于邮件和本系统。',
      TRANSITION: '订单提交、审批、发货等。',
      MESSAGE: '有人就订单留言或提到您。',
      REMINDER: '需要回复、审批或确认收货，以及离厂日期临近或已过。',
      digestAt: '按您的时区。没有未读内容时不发送。',
    },
    timeZone: (time: string | null) =>
      `${time === null ? '' : `当地时间 ${time}。`}仅用于邮件；本系统按此设备的时区显示时间。`,
    ownZone: (zone: string) => `使用此设备的时区：${zone}`,
    noZone: '没有该时区',
    mail: '邮件',
    modes: { now: '即时', digest: '每日汇总', off: '关闭' },
    preview: {
      title: '邮件示例',
      picture: '一封订单被驳回的邮件：驳回人和时间、备注、变更明细表，以及打开订单的按钮。',
    },
    noTime: '请输入 00:00 到 23:59 之间的时间。',
    save: '保存',
    discard: '放弃',
    saved: '已保存',
    newer: {
      title: '这些设置已在其他地方修改',
      value: (name: string, value: string) => `${name}：${value}`,
      mine: '保留我的选择',
      theirs: '使用较新的设置',
    },
  },
);

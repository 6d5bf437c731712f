import { dictionary } from '../../language/dictionary.js';

export const DUE = dictionary(
  {
    tasks: { reply: 'Reply', approval: 'Approval', exFactory: 'Ex-factory', delivery: 'Delivery confirmation' },
    full: {
      later: (task: string, date: string) => `${task} due on ${date}`,
      today: (task: string) => `${task} due today`,
      overdue: (task: string, date: string) => `${task} overdue since ${date}`,
      reminder: (date: string) => `Next reminder: ${date}`,
    },
    short: {
      later: (task: string, date: string) => `${task} ${date}`,
      today: (task: string) => `${task} today`,
      overdue: (task: string) => `${task} overdue`,
    },
    rules: {
      REPLY_DUE: 'Reply due',
      APPROVAL_DUE: 'Approval due',
      EX_FACTORY_SOON: 'Ex-factory soon',
      EX_FACTORY_OVERDUE: 'Ex-factory overdue',
      DELIVERY_DUE: 'Delivery confirmation due',
    },
  },
  {
    tasks: { reply: '回复', approval: '审批', exFactory: '离厂', delivery: '确认收货' },
    full: {
      later: (task: string, date: string) => `应于${date}${task}`,
      today: (task: string) => `今天应${task}`,
      overdue: (task: string, date: string) => `应于${date}${task}，已逾期`,
      reminder: (date: string) => `下次提醒：${date}`,
    },
    short: {
      later: (task: string, date: string) => `${task} ${date}`,
      today: (task: string) => `今天${task}`,
      overdue: (task: string) => `${task}逾期`,
    },
    rules: {
      REPLY_DUE: '回复到期',
      APPROVAL_DUE: '审批到期',
      EX_FACTORY_SOON: '即将离厂',
      EX_FACTORY_OVERDUE: '离厂逾期',
      DELIVERY_DUE: '确认收货到期',
    },
  },
);

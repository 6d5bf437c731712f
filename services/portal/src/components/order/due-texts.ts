import { dictionary } from '../../language/dictionary.js';

export const DUE = dictionary({
  tasks: {
    reply: ['Reply', '回复'],
    approval: ['Approval', '审批'],
    exFactory: ['Ex-factory', '离厂'],
    delivery: ['Delivery confirmation', '确认收货'],
  },
  full: {
    later: (task: string, date: string) => [`${task} due on ${date}`, `应于${date}${task}`],
    today: (task: string) => [`${task} due today`, `今天应${task}`],
    overdue: (task: string, date: string) => [`${task} overdue since ${date}`, `应于${date}${task}，已逾期`],
    reminder: (date: string) => [`Next reminder: ${date}`, `下次提醒：${date}`],
  },
  short: {
    later: (task: string, date: string) => [`${task} ${date}`, `${task} ${date}`],
    today: (task: string) => [`${task} today`, `今天${task}`],
    overdue: (task: string) => [`${task} overdue`, `${task}逾期`],
  },
  rules: {
    REPLY_DUE: ['Reply due', '回复到期'],
    APPROVAL_DUE: ['Approval due', '审批到期'],
    EX_FACTORY_SOON: ['Ex-factory soon', '即将离厂'],
    EX_FACTORY_OVERDUE: ['Ex-factory overdue', '离厂逾期'],
    DELIVERY_DUE: ['Delivery confirmation due', '确认收货到期'],
  },
});

import { dictionary } from '../../language/dictionary.js';

export const ORDER_DETAILS = dictionary(
  {
    dates: 'Key dates',
    details: 'Details',
    shipping: 'Logistics',
    people: 'People',
    overdue: (days: string) => `${days} overdue`,
    left: (days: string) => `in ${days}`,
    today: 'today',
    agreedAt: 'Agreed on',
    writeTo: (name: string) => `Write to ${name}`,
  },
  {
    dates: '关键日期',
    details: '订单信息',
    shipping: '物流',
    people: '相关人员',
    overdue: (days: string) => `逾期${days}`,
    left: (days: string) => `还有${days}`,
    today: '今天',
    agreedAt: '达成约定的时间',
    writeTo: (name: string) => `发邮件给 ${name}`,
  },
);

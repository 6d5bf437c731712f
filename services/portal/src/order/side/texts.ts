import { dictionary } from '../../language/dictionary.js';

export const SIDE = dictionary(
  {
    dates: 'Key dates',
    details: 'Details',
    shipping: 'Logistics',
    people: 'People',
    exFactory: 'Ex-factory',
    unmoved: 'same day',
    late: (days: string) => `${days} late`,
    left: (days: string) => `in ${days}`,
    today: 'today',
    agreedAt: 'Agreed on',
    synced: 'Inventory system, last heard of',
    writeTo: (name: string) => `Write to ${name}`,
    noChanges: 'as ordered',
  },
  {
    dates: '关键日期',
    details: '订单信息',
    shipping: '物流',
    people: '相关人员',
    exFactory: '离厂',
    unmoved: '同一天',
    late: (days: string) => `逾期 ${days}`,
    left: (days: string) => `还有 ${days}`,
    today: '今天',
    agreedAt: '约定于',
    synced: '库存系统最近同步',
    writeTo: (name: string) => `发邮件给 ${name}`,
    noChanges: '与原订单一致',
  },
);

import { dictionary } from '../../language/dictionary.js';

export const ORDER_DETAILS = dictionary({
  dates: ['Key dates', '关键日期'],
  details: ['Details', '订单信息'],
  shipping: ['Logistics', '物流'],
  people: ['People', '相关人员'],
  overdue: (days: string) => [`${days} overdue`, `逾期${days}`],
  left: (days: string) => [`in ${days}`, `还有${days}`],
  today: ['today', '今天'],
  agreedAt: ['Agreed on', '达成约定的时间'],
  writeTo: (name: string) => [`Write to ${name}`, `发邮件给 ${name}`],
});

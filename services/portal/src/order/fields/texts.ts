import { dictionary } from '../../language/dictionary.js';

export const FIELDS = dictionary(
  {
    reply: 'Your reply',
    shipment: 'Shipment',
    notSaved: 'Not saved',
    unmoved: 'same day',
    original: (value: string) => `Original: ${value}`,
    none: 'none',
    locked: 'Typed before the order was locked',
    clear: 'Clear',
    notRead: (text: string, example: string) => `“${text}” was not read as a date. Write it like ${example}.`,
    calendar: {
      previousMonth: 'Previous month',
      nextMonth: 'Next month',
      previousYear: 'Previous year',
      nextYear: 'Next year',
      previousDecade: 'Previous decade',
      nextDecade: 'Next decade',
    },
  },
  {
    reply: '您的回复',
    shipment: '发货信息',
    notSaved: '未保存',
    unmoved: '同一天',
    original: (value: string) => `原值：${value}`,
    none: '无',
    locked: '订单锁定前输入的内容',
    clear: '清除',
    notRead: (text: string, example: string) => `无法将“${text}”识别为日期。请按此格式填写：${example}。`,
    calendar: {
      previousMonth: '上个月',
      nextMonth: '下个月',
      previousYear: '上一年',
      nextYear: '下一年',
      previousDecade: '上个十年',
      nextDecade: '下个十年',
    },
  },
);

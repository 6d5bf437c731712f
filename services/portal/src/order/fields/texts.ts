import { dictionary } from '../../language/dictionary.js';

export const FIELDS = dictionary({
  reply: ['Your reply', '您的回复'],
  shipment: ['Shipment', '发货信息'],
  notSaved: ['Not saved', '未保存'],
  unmoved: ['same day', '同一天'],
  original: (value: string) => [`Original: ${value}`, `原值：${value}`],
  none: ['none', '无'],
  locked: ['Typed before the order was locked', '订单锁定前输入的内容'],
  clear: ['Clear', '清除'],
  notRead: (text: string, example: string) => [
    `“${text}” was not read as a date. Write it like ${example}.`,
    `无法将“${text}”识别为日期。请按此格式填写：${example}。`,
  ],
  calendar: {
    previousMonth: ['Previous month', '上个月'],
    nextMonth: ['Next month', '下个月'],
    previousYear: ['Previous year', '上一年'],
    nextYear: ['Next year', '下一年'],
    previousDecade: ['Previous decade', '上个十年'],
    nextDecade: ['Next decade', '下个十年'],
  },
});

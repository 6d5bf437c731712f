import { dictionary } from '../language/dictionary.js';

export const LIMITS = dictionary({
  fields: {
    enabled: ['Enabled', '启用'],
    maxDaysEarlier: ['Days earlier', '提前天数'],
    maxDaysLater: ['Days later', '推迟天数'],
    maxQtyIncreasePercent: ['Quantity: increase', '数量增加'],
    maxQtyDecreasePercent: ['Quantity: decrease', '数量减少'],
    maxPriceIncreasePercent: ['Price: increase', '单价上涨'],
    maxPriceDecreasePercent: ['Price: decrease', '单价下降'],
    allowFactoryChange: ['Factory change allowed', '允许更换工厂'],
    maxAmount: ['Maximum amount', '金额上限'],
  },
  rows: {
    date: ['Ex-factory date', '离厂日期'],
    quantity: ['Quantity of each line', '每行数量'],
    price: ['Price of each line', '每行单价'],
    factoryChange: ['Factory', '工厂'],
    amount: ['Amount of the order', '订单金额'],
  },
  earlier: (days: string) => [`up to ${days} earlier`, `最多提前${days}`],
  later: (days: string) => [`up to ${days} later`, `最多推迟${days}`],
  increase: (percent: string) => [`up to ${percent} more`, `最多增加 ${percent}`],
  decrease: (percent: string) => [`up to ${percent} less`, `最多减少 ${percent}`],
  comma: [', ', '，'],
  unchanged: ['no change', '不得更改'],
  factoryChange: {
    true: ['may change', '可以更换'],
    false: ['no change', '不得更换'],
  },
  yes: ['yes', '是'],
  no: ['no', '否'],
  upTo: (amounts: string) => [`at most ${amounts}; no other currency`, `不超过 ${amounts}；其他币种不会自动批准`],
  noLimit: ['no limit', '不限'],
});

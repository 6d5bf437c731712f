import { dictionary } from '../language/dictionary.js';

export const EXPORT = dictionary({
  title: ['Export', '导出'],
  selected: ['Export selected', '导出所选'],
  lines: ['One row per size', '每个尺码一行'],
  orders: ['One row per order', '每个订单一行'],
  xlsx: ['Excel (.xlsx)', 'Excel（.xlsx）'],
  csv: ['CSV (.csv)', 'CSV（.csv）'],
  running: ['Preparing the file…', '正在生成文件……'],
  received: (kilobytes: string) => [`${kilobytes} kB so far`, `已接收 ${kilobytes} kB`],
  cancel: ['Cancel', '取消'],
});

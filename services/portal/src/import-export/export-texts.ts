import { dictionary } from '../language/dictionary.js';

export const EXPORT = dictionary(
  {
    title: 'Export',
    selected: 'Export selected',
    lines: 'One row per size',
    orders: 'One row per order',
    xlsx: 'Excel (.xlsx)',
    csv: 'CSV (.csv)',
    running: 'Preparing the file…',
    received: (kilobytes: string) => `${kilobytes} kB so far`,
    cancel: 'Cancel',
  },
  {
    title: '导出',
    selected: '导出所选',
    lines: '每个尺码一行',
    orders: '每个订单一行',
    xlsx: 'Excel（.xlsx）',
    csv: 'CSV（.csv）',
    running: '正在生成文件……',
    received: (kilobytes: string) => `已接收 ${kilobytes} kB`,
    cancel: '取消',
  },
);

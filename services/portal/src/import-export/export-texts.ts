import { dictionary } from '../language/dictionary.js';

export const EXPORT = dictionary(
  {
    title: 'Export',
    lines: 'One row per size',
    orders: 'One row per order',
    xlsx: 'Excel (.xlsx)',
    csv: 'CSV (.csv)',
    running: 'Preparing the file …',
    received: (kilobytes: string) => `${kilobytes} kB so far`,
    sheet: 'Spreadsheet',
    importTitle: 'Import',
    import: 'Import a file …',
    over: 'Drop to check the file',
    others: (count: number) =>
      `It also has ${count === 1 ? 'another order' : `${count} other orders`} whose number contains this one.`,
    cancel: 'Cancel',
    done: (name: string) => `${name} is downloaded`,
    failed: 'The export failed',
    tooLarge: (rows: string, limit: string) =>
      `The file would have ${rows} rows; the limit is ${limit}. Narrow the filters, or export one row per order.`,
  },
  {
    title: '导出',
    lines: '每个尺码一行',
    orders: '每个订单一行',
    xlsx: 'Excel（.xlsx）',
    csv: 'CSV（.csv）',
    running: '正在生成文件……',
    received: (kilobytes: string) => `已接收 ${kilobytes} kB`,
    sheet: '电子表格',
    importTitle: '导入',
    import: '导入文件……',
    over: '松开以检查文件',
    others: (count: number) => `文件中还有另外 ${count} 个包含此编号的订单。`,
    cancel: '取消',
    done: (name: string) => `${name} 已下载`,
    failed: '未生成文件',
    tooLarge: (rows: string, limit: string) =>
      `文件将有 ${rows} 行，最多允许 ${limit} 行。请缩小筛选范围，或按每个订单一行导出。`,
  },
);

import { dictionary } from '../language/dictionary.js';

export const EXPORT_FILE = dictionary(
  {
    done: (name: string) => `${name} is downloaded`,
    failed: 'The export failed',
    tooLarge: (rows: string, limit: string) =>
      `The file would have ${rows} rows; the limit is ${limit}. Narrow the filters, or export one row per order.`,
  },
  {
    done: (name: string) => `${name} 已下载`,
    failed: '未生成文件',
    tooLarge: (rows: string, limit: string) =>
      `文件将有 ${rows} 行，最多允许 ${limit} 行。请缩小筛选范围，或按每个订单一行导出。`,
  },
);

import { dictionary } from '../language/dictionary.js';

/** Of files of one order, and those that are dropped. */
export const SHEET = dictionary(
  {
    sheet: 'Spreadsheet',
    importTitle: 'Import',
    import: 'Import a file …',
    over: 'Drop to check the file',
    others: (count: number) =>
      `It also has ${count === 1 ? 'another order' : `${count} other orders`} whose number contains this one.`,
  },
  {
    sheet: '电子表格',
    importTitle: '导入',
    import: '导入文件……',
    over: '松开以检查文件',
    others: (count: number) => `文件中还有另外 ${count} 个包含此编号的订单。`,
  },
);

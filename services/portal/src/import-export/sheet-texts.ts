import { dictionary } from '../language/dictionary.js';

/** Texts for the spreadsheet of one order, and for dropped files. */
export const SHEET = dictionary(
  {
    sheet: 'Spreadsheet',
    importTitle: 'Import',
    import: 'Import a file…',
    over: 'Drop to check the file',
  },
  {
    sheet: '电子表格',
    importTitle: '导入',
    import: '导入文件……',
    over: '松开鼠标即可检查文件',
  },
);

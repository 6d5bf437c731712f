import { dictionary } from '../language/dictionary.js';

/** Texts for the spreadsheet of one order, and for dropped files. */
export const SHEET = dictionary({
  sheet: ['Spreadsheet', '电子表格'],
  importTitle: ['Import', '导入'],
  import: ['Import a file…', '导入文件……'],
  over: ['Drop to check the file', '松开鼠标即可检查文件'],
});

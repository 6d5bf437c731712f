import { dictionary } from '../language/dictionary.js';

export const EXCHANGE = dictionary(
  {
    title: 'Import',
    none: { title: 'Open an order first', text: 'Files are imported into the order they belong to.' },
  },
  { title: '导入', none: { title: '请先打开订单', text: '文件会导入到其所属的订单。' } },
);

import { dictionary } from '../language/dictionary.js';

export const ORDER = dictionary(
  {
    back: 'Orders',
    linesCount: (lines: string, quantity: string) => `${lines} lines, ${quantity} pieces`,
    noLines: { title: 'No lines', text: 'The inventory system sent this order without lines.' },
    sizes: 'Sizes',
  },
  {
    back: '订单',
    linesCount: (lines: string, quantity: string) => `${lines} 行，共 ${quantity} 件`,
    noLines: { title: '没有明细', text: '库存系统发送的该订单没有明细。' },
    sizes: '尺码',
  },
);

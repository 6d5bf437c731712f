import { dictionary } from '../../language/dictionary.js';

export const NO_ORDERS = dictionary(
  {
    empty: { title: 'No orders yet', text: 'Orders appear here as soon as the inventory system sends them.' },
    none: { title: 'No matching orders', text: 'No order matches these filters.', all: 'Show all orders' },
    past: { title: 'This page is empty', text: 'There are fewer pages now.', first: 'Go to the first page' },
  },
  {
    empty: { title: '暂无订单', text: '库存系统发送的订单会立即显示在这里。' },
    none: { title: '没有符合条件的订单', text: '没有订单符合当前筛选条件。', all: '显示全部订单' },
    past: { title: '此页没有内容', text: '页数已减少。', first: '返回第一页' },
  },
);

import { dictionary } from '../language/dictionary.js';

export const ORDERS = dictionary(
  {
    title: 'Orders',
    count: (total: string) => `${total} in total`,
    empty: { title: 'No orders yet', text: 'Orders appear here as soon as the inventory system sends them.' },
    none: { title: 'No order fits', text: 'Nothing fits these filters.', all: 'Show all orders' },
    pages: 'Pages',
    page: (page: string, pages: string) => `Page ${page} of ${pages}`,
    previous: 'Previous page',
    next: 'Next page',
    notes: 'Notes',
  },
  {
    title: '订单',
    count: (total: string) => `共 ${total} 条`,
    empty: { title: '暂无订单', text: '库存系统发送的订单会立即显示在这里。' },
    none: { title: '没有符合条件的订单', text: '没有订单符合当前筛选条件。', all: '显示全部订单' },
    pages: '分页',
    page: (page: string, pages: string) => `第 ${page} / ${pages} 页`,
    previous: '上一页',
    next: '下一页',
    notes: '标记',
  },
);

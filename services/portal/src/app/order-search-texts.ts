import { dictionary } from '../language/dictionary.js';

export const ORDER_SEARCH = dictionary(
  {
    placeholder: 'PO number, style, SKU, page or action',
    nothing: 'No matching orders',
    pages: 'Pages',
    actions: 'Actions',
    hint: 'Type to search orders',
    failed: 'The search failed',
  },
  {
    placeholder: '订单号、款号、SKU、页面或操作',
    nothing: '没有符合条件的订单',
    pages: '页面',
    actions: '操作',
    hint: '输入以搜索订单',
    failed: '搜索失败',
  },
);

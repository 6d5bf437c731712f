import type { Locale, NegotiatedName } from '@po/contracts';

/** A text with a number. */
type Counted = (count: number) => string;

interface Texts {
  header: Record<NegotiatedName<'current' | 'reply'>, string> & Record<string, string>;
  roles: Record<string, string>;
  inventorySystem: string;
  approvalPolicy: string;
  dueOn: (date: string) => string;
  changes: Counted;
  moreChanges: Counted;
  earlierEvents: Counted;
  moreOrders: Counted;
  orders: Counted;
  subjectOfOrder: (poNumber: string, count: number) => string;
  subjectOfOrders: (orders: number, count: number) => string;
  digest: string;
  columns: { field: string; from: string; to: string; order: string; vendor: string; what: string; status: string };
  openOrder: string;
  openOrders: string;
  why: string;
  unsubscribe: string;
}

const plural = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

const en: Texts = {
  header: {
    xfDate: 'Ex-factory date',
    vendorReplyXfd: 'Reply ex-factory',
    factory: 'Factory',
    vendorReplyFactory: 'Reply factory',
    vendorReplyComment: 'Vendor comment',
    containerNumber: 'Container',
    trackingNumber: 'Tracking',
    qty: 'Quantity',
    unitPrice: 'Unit price',
    vendorReplyQty: 'Reply quantity',
    vendorReplyUnitPrice: 'Reply price',
  },
  roles: { VENDOR: 'vendor', BUYER: 'buyer', ADMIN: 'administrator', VIEWER: 'viewer' },
  inventorySystem: 'Inventory system',
  approvalPolicy: 'Approved automatically',
  dueOn: (date) => `Reminder of ${date}`,
  changes: (count) => plural(count, 'update', 'updates'),
  moreChanges: (count) => `and ${plural(count, 'more change', 'more changes')} in the order`,
  earlierEvents: (count) => `${plural(count, 'earlier entry is', 'earlier entries are')} in the portal`,
  moreOrders: (count) => `and ${plural(count, 'other order', 'other orders')}`,
  orders: (count) => plural(count, 'order', 'orders'),
  subjectOfOrder: (poNumber, count) => `${poNumber}: ${plural(count, 'update', 'updates')}`,
  subjectOfOrders: (orders, count) => `${plural(orders, 'order', 'orders')}: ${plural(count, 'update', 'updates')}`,
  digest: 'Daily summary',
  columns: {
    field: 'Field',
    from: 'From',
    to: 'To',
    order: 'Order',
    vendor: 'Vendor',
    what: 'What happened',
    status: 'Status',
  },
  openOrder: 'Open the order',
  openOrders: 'Open the orders',
  why: 'You get this e-mail because of your choices under “Preferences” in the portal.',
  unsubscribe: 'Stop e-mails of this kind',
};

const zh: Texts = {
  header: {
    xfDate: '离厂日期',
    vendorReplyXfd: '回复离厂日期',
    factory: '工厂',
    vendorReplyFactory: '回复工厂',
    vendorReplyComment: '供应商备注',
    containerNumber: '柜号',
    trackingNumber: '运单号',
    qty: '数量',
    unitPrice: '单价',
    vendorReplyQty: '回复数量',
    vendorReplyUnitPrice: '回复单价',
  },
  roles: { VENDOR: '供应商', BUYER: '采购员', ADMIN: '管理员', VIEWER: '只读用户' },
  inventorySystem: '库存系统',
  approvalPolicy: '自动批准',
  dueOn: (date) => `提醒日期：${date}`,
  changes: (count) => `${count} 条动态`,
  moreChanges: (count) => `另有 ${count} 项变更，请在订单中查看`,
  earlierEvents: (count) => `较早的 ${count} 条记录请在系统中查看`,
  moreOrders: (count) => `另有 ${count} 个订单`,
  orders: (count) => `${count} 个订单`,
  subjectOfOrder: (poNumber, count) => `${poNumber}：${count} 条动态`,
  subjectOfOrders: (orders, count) => `${orders} 个订单有 ${count} 条动态`,
  digest: '每日汇总',
  columns: {
    field: '字段',
    from: '变更前',
    to: '变更后',
    order: '订单',
    vendor: '供应商',
    what: '事项',
    status: '状态',
  },
  openOrder: '打开订单',
  openOrders: '打开订单列表',
  why: '此邮件根据您在系统“偏好设置”中的选择发送。',
  unsubscribe: '不再接收此类邮件',
};

/** Texts of mails in both languages. */
export const TEXTS: Record<Locale, Texts> = { en, zh };

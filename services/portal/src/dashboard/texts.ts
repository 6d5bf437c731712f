import { dictionary } from '../language/dictionary.js';

export const DASHBOARD = dictionary(
  {
    title: 'Dashboard',
    waiting: 'Waiting for me',
    approval: 'Waiting for approval',
    repliesDue: 'Replies due',
    approvalsDue: 'Approvals due',
    overdue: 'Overdue',
    statuses: 'Orders by status',
    orders: (count: string, one: boolean) => (one ? `${count} order` : `${count} orders`),
    pieces: (count: string) => `${count} pcs`,
    weeks: {
      title: 'Ex-factory dates, next 12 weeks',
      thisWeek: 'This week',
    },
    overdueVendors: 'Overdue by vendor',
    overdueOrders: 'Overdue orders',
    by: (days: string) => `${days} overdue`,
    allOverdue: (count: string, one: boolean) => (one ? `${count} overdue order` : `All ${count} overdue orders`),
    automatic: (share: number, approved: string, days: number) =>
      `Approvals in the last ${days} days: ${approved}, ${share}% automatic`,
    activity: 'Recent activity',
    isNew: 'New since you opened the page',
    more: (count: string) => `${count} new`,
    none: {
      orders: { title: 'No orders yet', text: 'They are counted here as soon as the inventory system sends them.' },
      weeks: { title: 'Nothing is due', text: 'No order is due to leave the factory in the next 12 weeks.' },
      overdue: { title: 'Nothing is overdue', text: 'Every order that has not been shipped is on time.' },
      activity: { title: 'Nothing has happened yet', text: 'Every step of an order appears here.' },
    },
  },
  {
    title: '仪表盘',
    waiting: '待我处理',
    approval: '等待审批',
    repliesDue: '回复到期',
    approvalsDue: '审批到期',
    overdue: '逾期',
    statuses: '按状态统计订单',
    orders: (count: string) => `${count} 个订单`,
    pieces: (count: string) => `${count} 件`,
    weeks: {
      title: '未来 12 周离厂计划',
      thisWeek: '本周',
    },
    overdueVendors: '各供应商逾期情况',
    overdueOrders: '逾期订单',
    by: (days: string) => `逾期${days}`,
    allOverdue: (count: string, one: boolean) => (one ? `${count} 个逾期订单` : `全部 ${count} 个逾期订单`),
    automatic: (share: number, approved: string, days: number) =>
      `最近 ${days} 天的 ${approved} 次批准中 ${share}% 为自动批准`,
    activity: '最近动态',
    isNew: '您查看期间的新动态',
    more: (count: string) => `${count} 条新动态`,
    none: {
      orders: { title: '暂无订单', text: '库存系统发送订单后，会立即在这里统计。' },
      weeks: { title: '暂无离厂安排', text: '未来 12 周内没有订单需要离厂。' },
      overdue: { title: '没有逾期订单', text: '所有未发货的订单均未逾期。' },
      activity: { title: '暂无动态', text: '订单的每一步进展都会显示在这里。' },
    },
  },
);

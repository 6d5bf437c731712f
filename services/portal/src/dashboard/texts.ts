import { dictionary } from '../language/dictionary.js';

export const DASHBOARD = dictionary({
  title: ['Dashboard', '仪表盘'],
  waiting: ['Waiting for me', '待我处理'],
  approval: ['Waiting for approval', '等待审批'],
  repliesDue: ['Replies due', '回复到期'],
  approvalsDue: ['Approvals due', '审批到期'],
  overdue: ['Overdue', '逾期'],
  statuses: ['Orders by status', '按状态统计订单'],
  orders: (count: string, one: boolean) => [one ? `${count} order` : `${count} orders`, `${count} 个订单`],
  pieces: (count: string) => [`${count} pcs`, `${count} 件`],
  weeks: {
    title: ['Ex-factory dates, next 12 weeks', '未来 12 周离厂计划'],
    thisWeek: ['This week', '本周'],
  },
  overdueVendors: ['Overdue by vendor', '各供应商逾期情况'],
  overdueOrders: ['Overdue orders', '逾期订单'],
  by: (days: string) => [`${days} overdue`, `逾期${days}`],
  allOverdue: (count: string, one: boolean) => [
    one ? `${count} overdue order` : `All ${count} overdue orders`,
    one ? `${count} 个逾期订单` : `全部 ${count} 个逾期订单`,
  ],
  automatic: (share: number, approved: string, days: number) => [
    `Approvals in the last ${days} days: ${approved}, ${share}% automatic`,
    `最近 ${days} 天的 ${approved} 次批准中 ${share}% 为自动批准`,
  ],
  activity: ['Recent activity', '最近动态'],
  isNew: ['New since you opened the page', '您查看期间的新动态'],
  more: (count: string) => [`${count} new`, `${count} 条新动态`],
  none: {
    orders: {
      title: ['No orders yet', '暂无订单'],
      text: [
        'They are counted here as soon as the inventory system sends them.',
        '库存系统发送订单后，会立即在这里统计。',
      ],
    },
    weeks: {
      title: ['Nothing is due', '暂无离厂安排'],
      text: ['No order is due to leave the factory in the next 12 weeks.', '未来 12 周内没有订单需要离厂。'],
    },
    overdue: {
      title: ['Nothing is overdue', '没有逾期订单'],
      text: ['Every order that has not been shipped is on time.', '所有未发货的订单均未逾期。'],
    },
    activity: {
      title: ['Nothing has happened yet', '暂无动态'],
      text: ['Every step of an order appears here.', '订单的每一步进展都会显示在这里。'],
    },
  },
});

import { dictionary } from '../../language/dictionary.js';

export const BULK = dictionary({
  title: (action: string, count: string) => [
    `${action}: ${count} ${count === '1' ? 'order' : 'orders'}`,
    `${action}：${count} 个订单`,
  ],
  names: (names: string, more: number) => [
    more > 0 ? `${names} and ${more} more` : names,
    more > 0 ? `${names} 及另外 ${more} 个订单` : names,
  ],
  total: (sums: string) => [`${sums} in total.`, `合计 ${sums}。`],
  others: (count: number) => [
    count === 1
      ? '1 selected order is not in a status that allows it, and is left as it is.'
      : `${count} selected orders are not in a status that allows it, and are left as they are.`,
    `所选订单中有 ${count} 个的状态不允许此操作，将保持不变。`,
  ],
  unsaved: (count: number) => [
    count === 1
      ? '1 selected order has changes that you have not saved, and is left as it is.'
      : `${count} selected orders have changes that you have not saved, and are left as they are.`,
    `所选订单中有 ${count} 个含有您尚未保存的更改，将保持不变。`,
  ],
  titleOfOne: (action: string, order: string) => [`${action}: ${order}`, `${action}：${order}`],
  changed: (count: number, submit: string) => [
    count === 1
      ? `1 selected order differs from the original and is not included. “${submit}” sends it with your replies.`
      : `${count} selected orders differ from the original and are not included. “${submit}” sends them with your replies.`,
    `所选订单中有 ${count} 个与原单不同，将保持不变。如需按当前回复提交，请使用“${submit}”。`,
  ],
  commentHint: ['Everybody who works on these orders can read it.', '所有处理这些订单的人都能看到。'],
  back: ['Go back', '返回'],
  close: ['Close', '关闭'],
  progress: (done: number, all: number) => [`${done} of ${all}`, `${done} / ${all}`],
  running: ['Please wait until it is done.', '请等待操作完成。'],
  rateLimited: (seconds: number) => [
    `Too many requests: continues in ${seconds} s`,
    `请求过于频繁：${seconds} 秒后继续`,
  ],
  stop: ['Stop', '停止'],
  done: (count: number) => [`${count} done`, `${count} 个已完成`],
  automatic: (count: number) => [`${count} approved automatically`, `${count} 个已自动批准`],
  failed: (count: number) => [`${count} not done`, `${count} 个未完成`],
  untried: ['Not processed', '未执行'],
  unseen: [
    'Somebody changed it in the meantime. Review it before you try again.',
    '订单已被他人修改。请先查看，再重试。',
  ],
  retry: (count: number) => [`Try ${count} again`, `重试 ${count} 个`],
  results: ['Results', '结果'],
  order: ['Order', '订单'],
  result: ['Result', '结果'],
  leave: {
    title: ['Leave before it is done?', '操作尚未完成，确定离开？'],
    text: [
      'The orders in progress are finished; the others are left unchanged.',
      '正在处理的订单会完成，其余订单保持不变。',
    ],
  },
});

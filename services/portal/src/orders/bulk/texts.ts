import { dictionary } from '../../language/dictionary.js';

export const BULK = dictionary(
  {
    title: (action: string, count: string) => `${action}: ${count} ${count === '1' ? 'order' : 'orders'}`,
    names: (names: string, more: number) => (more > 0 ? `${names} and ${more} more` : names),
    total: (sums: string) => `${sums} in total.`,
    others: (count: number) =>
      count === 1
        ? '1 selected order is not in a status that allows it, and is left as it is.'
        : `${count} selected orders are not in a status that allows it, and are left as they are.`,
    unsaved: (count: number) =>
      count === 1
        ? '1 selected order has changes that you have not saved, and is left as it is.'
        : `${count} selected orders have changes that you have not saved, and are left as they are.`,
    titleOfOne: (action: string, order: string) => `${action}: ${order}`,
    changed: (count: number, submit: string) =>
      count === 1
        ? `1 selected order differs from the original and is not included. “${submit}” sends it with your replies.`
        : `${count} selected orders differ from the original and are not included. “${submit}” sends them with your replies.`,
    commentHint: 'Everybody who works on these orders can read it.',
    back: 'Go back',
    close: 'Close',
    progress: (done: number, all: number) => `${done} of ${all}`,
    running: 'Please wait until it is done.',
    rateLimited: (seconds: number) => `Too many requests: continues in ${seconds} s`,
    stop: 'Stop',
    done: (count: number) => `${count} done`,
    automatic: (count: number) => `${count} approved automatically`,
    failed: (count: number) => `${count} not done`,
    untried: 'Not processed',
    unseen: 'Somebody changed it in the meantime. Look at it before you try again.',
    retry: (count: number) => `Try ${count} again`,
    results: 'Results',
    order: 'Order',
    result: 'Result',
    leave: {
      title: 'Leave before it is done?',
      text: 'The orders in progress are finished; the others are left unchanged.',
      stay: 'Stay',
      go: 'Leave',
    },
  },
  {
    title: (action: string, count: string) => `${action}：${count} 个订单`,
    names: (names: string, more: number) => (more > 0 ? `${names} 及另外 ${more} 个订单` : names),
    total: (sums: string) => `合计 ${sums}。`,
    others: (count: number) => `所选订单中有 ${count} 个的状态不允许此操作，将保持不变。`,
    unsaved: (count: number) => `所选订单中有 ${count} 个含有您尚未保存的更改，将保持不变。`,
    titleOfOne: (action: string, order: string) => `${action}：${order}`,
    changed: (count: number, submit: string) =>
      `所选订单中有 ${count} 个与原单不同，将保持不变。如需按当前回复提交，请使用“${submit}”。`,
    commentHint: '所有处理这些订单的人都能看到。',
    back: '返回',
    close: '关闭',
    progress: (done: number, all: number) => `${done} / ${all}`,
    running: '请等待操作完成。',
    rateLimited: (seconds: number) => `请求过于频繁：${seconds} 秒后继续`,
    stop: '停止',
    done: (count: number) => `${count} 个已完成`,
    automatic: (count: number) => `${count} 个已自动批准`,
    failed: (count: number) => `${count} 个未完成`,
    untried: '未执行',
    unseen: '订单已被他人修改。请先查看，再重试。',
    retry: (count: number) => `重试 ${count} 个`,
    results: '结果',
    order: '订单',
    result: '结果',
    leave: {
      title: '操作尚未完成，确定离开？',
      text: '正在处理的订单会完成，其余订单保持不变。',
      stay: '留在此页',
      go: '离开',
    },
  },
);

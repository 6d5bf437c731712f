import { dictionary } from '../../language/dictionary.js';

export const HEAD = dictionary(
  {
    actions: 'Actions',
    more: 'More actions',
    accept: 'Accept',
    decline: 'Decline',
    latestComment: 'Latest comment',
    ask: (action: string, order: string) => `${action}: ${order}`,
    commentHint: 'Everybody who can see the order can read it.',
    cancel: 'Go back',
    done: (order: string) => `${order} is now`,
    changed: 'The order changed: it can no longer be accepted as ordered.',
    automatic: 'It was approved automatically.',
    gone: (keeps: boolean) =>
      `The order changed, so this is no longer possible.${keeps ? ' Your comment is kept.' : ''}`,
    moved: 'The order changed while you were looking at it. Review it, then confirm.',
    unsaved: (count: number) => `${count === 1 ? 'One change is' : `${count} changes are`} not saved yet.`,
    saveFirst: 'Save',
  },
  {
    actions: '可用操作',
    more: '更多操作',
    accept: '接受',
    decline: '拒绝接单',
    latestComment: '最近的备注',
    ask: (action: string, order: string) => `${action}：${order}`,
    commentHint: '所有能查看该订单的人都会看到。',
    cancel: '返回',
    done: (order: string) => `${order} 已变为`,
    changed: '订单已变化，无法再按原单接受。',
    automatic: '已自动批准。',
    gone: (keeps: boolean) => `订单状态已变化，此操作已不可用。${keeps ? '您的备注已保留。' : ''}`,
    moved: '您查看期间订单发生了变化，请重新确认。',
    unsaved: (count: number) => `有 ${count} 处更改尚未保存。`,
    saveFirst: '保存',
  },
);

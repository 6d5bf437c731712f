import { dictionary } from '../../language/dictionary.js';

export const ORDER_HEADER = dictionary({
  actions: ['Actions', '可用操作'],
  more: ['More actions', '更多操作'],
  accept: ['Accept', '接受'],
  decline: ['Decline', '拒绝接单'],
  zeros: ['This replies 0 to each quantity.', '所有尺码的回复数量将设为 0。'],
  latestComment: ['Latest comment', '最近的备注'],
  ask: (action: string, order: string) => [`${action}: ${order}`, `${action}：${order}`],
  commentHint: ['Everybody who can see the order can read it.', '所有能查看该订单的人都会看到。'],
  cancel: ['Go back', '返回'],
  done: (order: string) => [`${order} is now`, `${order} 已变为`],
  changed: ['The order changed: it can no longer be accepted as ordered.', '订单已变化，无法再按原单接受。'],
  automatic: ['It was approved automatically.', '已自动批准。'],
  gone: (keeps: boolean) => [
    `The order changed, so this is no longer possible.${keeps ? ' Your comment is kept.' : ''}`,
    `订单状态已变化，此操作已不可用。${keeps ? '您的备注已保留。' : ''}`,
  ],
  moved: [
    'The order changed while you were looking at it. Review it, then confirm.',
    '您查看期间订单发生了变化，请重新确认。',
  ],
  unsaved: (count: number) => [
    `${count === 1 ? 'One change is' : `${count} changes are`} not saved yet.`,
    `有 ${count} 处更改尚未保存。`,
  ],
  saveFirst: ['Save', '保存'],
});

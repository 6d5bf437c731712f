import { dictionary } from '../../language/dictionary.js';

export const TRANSITION = dictionary({
  becomes: (count: number) => [count === 1 ? 'The order becomes' : 'The orders become', '订单状态将变为'],
  final: ['This cannot be undone.', '此操作无法撤销。'],
  undo: (action: string) => [`You can undo it with “${action}”.`, `之后可通过“${action}”撤销。`],
  comment: ['Comment', '备注'],
  optional: ['optional', '选填'],
  tooLong: (count: string) => [
    `${count} ${count === '1' ? 'character' : 'characters'} too many`,
    `超出 ${count} 个字符`,
  ],
});

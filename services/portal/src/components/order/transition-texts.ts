import { dictionary } from '../../language/dictionary.js';

export const TRANSITION = dictionary(
  {
    becomes: (count: number) => (count === 1 ? 'The order becomes' : 'The orders become'),
    final: 'This cannot be undone.',
    undo: (action: string) => `You can undo it with “${action}”.`,
    comment: 'Comment',
    optional: 'optional',
    tooLong: (count: string) => `${count} ${count === '1' ? 'character' : 'characters'} too many`,
  },
  {
    becomes: () => '订单状态将变为',
    final: '此操作无法撤销。',
    undo: (action: string) => `之后可通过“${action}”撤销。`,
    comment: '备注',
    optional: '选填',
    tooLong: (count: string) => `超出 ${count} 个字符`,
  },
);

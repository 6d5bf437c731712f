import { dictionary } from '../../language/dictionary.js';

export const CONVERSATION = dictionary({
  title: ['Timeline', '时间线'],
  filter: ['Show', '显示'],
  filters: {
    all: ['All', '全部'],
    messages: ['Messages', '消息'],
    changes: ['Changes', '变更'],
  },
  older: ['Show older', '显示更早的内容'],
  empty: {
    title: ['Nothing has happened yet', '暂无记录'],
    text: ['Every step of the order and every message appears here.', '订单的每一步进展和每条消息都会显示在这里。'],
  },
  nothing: {
    messages: ['No messages yet.', '暂无消息。'],
    changes: ['No changes yet.', '暂无变更。'],
  },
  newSince: (count: string) => [`New since your last visit: ${count}`, `自您上次查看以来的新内容：${count} 条`],
  unread: (count: string) => [`${count} new`, `${count} 条新内容`],
  arrived: (author: string, text: string) => [`New message from ${author}: ${text}`, `${author} 发来新消息：${text}`],
  unknown: ['This message does not exist, or you may not see it.', '您要查看的消息不存在，或您无权查看。'],
  wrote: ['wrote', '留言'],
  vendorSide: ['Vendor', '供应商'],
  internal: ['Internal: only your company sees this', '内部：仅本公司可见'],
  comma: [', ', '，'],
  named: (cells: string, names: string) => [`${cells}: ${names}`, `${cells}：${names}`],
  cells: (count: string, isOne: boolean) => [isOne ? '1 cell' : `${count} cells`, `${count} 个单元格`],
  cellsGone: (count: string) => [`${count} no longer in the order`, `其中 ${count} 个已不在订单中`],
  removeCells: ['Remove the cells', '移除单元格'],
  tooManyCells: (count: string) => [
    `You can ask about at most ${count} cells in one message.`,
    `一条消息最多可引用 ${count} 个单元格。`,
  ],
  askAbout: (count: string, isOne: boolean) => [
    isOne ? 'Ask about this cell' : `Ask about these ${count} cells`,
    `就这 ${count} 个单元格提问`,
  ],
  askAboutItem: (item: string) => [`Ask about ${item}`, `就 ${item} 提问`],
  write: ['Write a message', '写消息'],
  message: ['Message', '消息'],
  placeholder: ['Write a message. Type @ to mention somebody.', '提问或回复。输入 @ 可提及他人。'],
  visible: ['Everybody who can see the order can read it.', '所有能查看该订单的人都会看到。'],
  left: (count: string, isOne: boolean) => [
    `${count} ${isOne ? 'character' : 'characters'} left`,
    `还可输入 ${count} 个字符`,
  ],
  tooLong: (count: string, isOne: boolean) => [
    `${count} ${isOne ? 'character' : 'characters'} too many`,
    `超出 ${count} 个字符`,
  ],
  post: ['Post', '发送'],
  posted: ['Message posted.', '消息已发送。'],
  full: [
    'This browser has no space left to keep what you type. Post it before you leave.',
    '浏览器已没有空间保留您输入的内容，请在离开前发送。',
  ],
  people: ['People', '人员'],
  found: (count: string, isOne: boolean) => [
    isOne ? '1 person, choose with Enter' : `${count} people, choose with arrow keys and Enter`,
    `${count} 人，用方向键和回车键选择`,
  ],
  notReached: (names: string) => [
    `Vendor users who will not see this: ${names}`,
    `以下供应商用户看不到此消息：${names}`,
  ],
  switch: ['Internal', '内部'],
  reveal: {
    title: ['Show this text to the vendor?', '要让供应商看到这段文字吗？'],
    text: [
      'What you typed so far was internal. The vendor sees all of it once you post it.',
      '您目前输入的内容是内部消息。发送后，供应商将看到全部内容。',
    ],
    keep: ['Keep it internal', '保持仅内部可见'],
    go: ['Make it visible to the vendor', '改为供应商可见'],
  },
});

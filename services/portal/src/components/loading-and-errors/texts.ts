import { dictionary } from '../../language/dictionary.js';

export const STATES = dictionary({
  retry: ['Try again', '重试'],
  back: ['Back to the orders', '返回订单列表'],
  reload: ['Reload', '重新加载'],
  reference: ['Reference for support', '问题编号'],
  copied: ['Copied', '已复制'],
  copy: ['Copy', '复制'],
  offline: [
    'You are offline. What you see may be out of date; it is updated when you are back online.',
    '您已离线。当前内容可能不是最新的，恢复连接后会自动更新。',
  ],
  away: {
    title: ['You are offline', '您已离线'],
    text: ['This appears as soon as you are back online.', '恢复连接后将自动显示。'],
  },
  problem: {
    title: ['Something went wrong', '出错了'],
    text: ['An unexpected error occurred. Please try again.', '发生了意外错误，请重试。'],
  },
  refused: (why: string) => [`Not accepted: ${why}.`, `未被接受：${why}。`],
  semicolon: ['; ', '；'],
  unreachable: {
    title: ['The service does not answer', '服务没有响应'],
    text: ['Check your connection, then try again.', '请检查网络连接后重试。'],
  },
  outdated: {
    title: ['This part could not be loaded', '页面不完整'],
    text: [
      'There may be a new version. Reload the page: what you typed is kept.',
      '页面的一部分未能加载，可能已有新版本。请重新加载页面，已填写的内容会保留。',
    ],
  },
  forbidden: {
    title: ['You have no access to this', '您无权查看此内容'],
    text: ['Your role does not include it. Ask your administrator.', '您的角色不包含此权限，请联系管理员。'],
  },
  unknown: {
    title: ['There is nothing here', '这里没有内容'],
    text: [
      'It may have been removed, you may not have access to it, or the address is wrong.',
      '内容可能已被删除，您可能无权查看，或者地址有误。',
    ],
  },
  busy: {
    title: ['Too many requests', '请求过于频繁'],
    text: (seconds: number) => [
      seconds > 0 ? `Try again in ${seconds} s.` : 'You can try again now.',
      seconds > 0 ? `${seconds} 秒后可以继续。` : '现在可以继续。',
    ],
  },
  more: (count: string) => [`Show ${count} more`, `再显示 ${count} 条`],
  loading: ['Loading', '加载中'],
});

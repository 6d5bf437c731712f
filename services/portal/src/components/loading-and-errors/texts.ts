import { dictionary } from '../../language/dictionary.js';

export const STATES = dictionary(
  {
    retry: 'Try again',
    back: 'Back to the orders',
    reload: 'Reload',
    reference: 'Reference for support',
    copied: 'Copied',
    copy: 'Copy',
    offline: 'You are offline. What you see may be out of date; it is updated when you are back online.',
    away: { title: 'You are offline', text: 'This appears as soon as you are back online.' },
    problem: { title: 'Something went wrong', text: 'An unexpected error occurred. Please try again.' },
    refused: (why: string) => `Not accepted: ${why}.`,
    semicolon: '; ',
    unreachable: { title: 'The service does not answer', text: 'Check your connection, then try again.' },
    outdated: {
      title: 'This part is missing',
      text: 'A part of the page could not be loaded; there may be a new version. Reload the page: what you typed is kept.',
    },
    forbidden: { title: 'You have no access to this', text: 'Your role does not include it. Ask your administrator.' },
    unknown: {
      title: 'There is nothing here',
      text: 'It may have been removed, you may not have access to it, or the address is wrong.',
    },
    busy: {
      title: 'Too many requests',
      text: (seconds: number) => (seconds > 0 ? `Try again in ${seconds} s.` : 'You can try again now.'),
    },
    loading: 'Loading',
  },
  {
    retry: '重试',
    back: '返回订单列表',
    reload: '重新加载',
    reference: '问题编号',
    copied: '已复制',
    copy: '复制',
    offline: '您已离线。当前内容可能不是最新的，恢复连接后会自动更新。',
    away: { title: '您已离线', text: '恢复连接后将自动显示。' },
    problem: { title: '出错了', text: '发生了意外错误，请重试。' },
    refused: (why: string) => `未被接受：${why}。`,
    semicolon: '；',
    unreachable: { title: '服务没有响应', text: '请检查网络连接后重试。' },
    outdated: {
      title: '页面不完整',
      text: '页面的一部分未能加载，可能已有新版本。请重新加载页面，已填写的内容会保留。',
    },
    forbidden: { title: '您无权查看此内容', text: '您的角色不包含此权限，请联系管理员。' },
    unknown: { title: '这里没有内容', text: '内容可能已被删除，您可能无权查看，或者地址有误。' },
    busy: {
      title: '请求过于频繁',
      text: (seconds: number) => (seconds > 0 ? `${seconds} 秒后可以继续。` : '现在可以继续。'),
    },
    loading: '加载中',
  },
);

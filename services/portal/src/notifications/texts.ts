import { dictionary } from '../language/dictionary.js';

export const BELL = dictionary(
  {
    title: 'Notifications',
    unread: (count: string) => `Notifications, ${count} unread`,
    none: 'You are up to date.',
  },
  {
    title: '通知',
    unread: (count: string) => `通知，${count} 条未读`,
    none: '没有新通知。',
  },
);

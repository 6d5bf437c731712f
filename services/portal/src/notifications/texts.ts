import { dictionary } from '../language/dictionary.js';

/** Of the bell alone: its list, which is loaded when it is opened, has its own. */
export const BELL = dictionary(
  {
    title: 'Notifications',
    unread: (count: string) => `Notifications, ${count} unread`,
  },
  {
    title: '通知',
    unread: (count: string) => `通知，${count} 条未读`,
  },
);

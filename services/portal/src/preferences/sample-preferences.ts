import type { Preferences } from '../api/schemas.js';

export const PREFERENCES: Preferences = {
  locale: 'en',
  timeZone: 'Asia/Shanghai',
  mail: { TRANSITION: 'digest', MESSAGE: 'now', REMINDER: 'now' },
  digestAt: '08:00',
};

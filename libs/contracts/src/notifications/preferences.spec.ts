import { expect, it } from '@jest/globals';
import { NOTIFICATION_KINDS } from './notification.js';
import { PreferencesRequest, TimeZone } from './preferences.js';

const isChosen = (timeZone: string): boolean =>
  PreferencesRequest.safeParse({
    locale: 'zh',
    timeZone,
    digestAt: '08:00',
    mail: Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, 'now'])),
  }).success;

it('a user chooses a time zone by an IANA name, not by an abbreviation that others read differently', () => {
  for (const name of ['UTC', 'Asia/Shanghai', 'PRC', 'EST', 'CET', 'Etc/GMT+8'])
    expect([name, isChosen(name)]).toEqual([name, true]);
  for (const name of ['CST', 'pst', 'IST', 'BST', '+08:00', 'Mars/Olympus'])
    expect([name, isChosen(name)]).toEqual([name, false]);
  // What was chosen before is still read: it must not stop a mail.
  expect(TimeZone.safeParse('CST').success).toBe(true);
});

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

it('a user can choose a time zone by its IANA name, but not by an ambiguous abbreviation or a former name', () => {
  for (const name of ['UTC', 'Asia/Shanghai', 'PRC', 'EST', 'CET', 'Etc/GMT+8'])
    expect([name, isChosen(name)]).toEqual([name, true]);
  const former = ['SystemV/AST4', 'us/pacific-new', 'Canada/East-Saskatchewan'];
  for (const name of ['CST', 'pst', 'IST', 'BST', ...former, '+08:00', 'Mars/Olympus'])
    expect([name, isChosen(name)]).toEqual([name, false]);
  // Zones chosen before are still accepted when read, so that mail is not blocked.
  expect(TimeZone.safeParse('CST').success).toBe(true);
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { accessibilityViolations } from '../accessibility.js';
import { Keyboard } from '../keyboard.js';
import { NewUser } from '../new-user.js';
import { screenshot } from '../screenshots.js';
import { portalTests } from '../visitors.js';

/** The user who signs in. The API sees a new user, because other tests depend on the language of this user. */
const USER = 'buyer2';
const PATH = '/me/preferences';
const DEFAULTS = {
  locale: 'en',
  timeZone: 'UTC',
  mail: { TRANSITION: 'digest', MESSAGE: 'now', REMINDER: 'now' },
  digestAt: '08:00',
};

describe('the preferences of a user', () => {
  const { visitors } = portalTests();
  let user: NewUser;
  beforeEach(async () => {
    user = await NewUser.withRightsOf(visitors, USER);
    await user.api.put(PATH, DEFAULTS);
  });
  const stored = async () => (await user.api.get(PATH)).body;

  it('are opened from the user menu and saved by keyboard alone', async () => {
    const visitor = await visitors.visit();
    await visitor.useToken(user.token);
    const keyboard = await Keyboard.signIn(visitor, USER);
    const { page } = visitor;
    await keyboard.tabTo(page.getByRole('button', { name: /^Signed in as/ }));
    await keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Preferences' }).focus();
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Preferences' }).waitFor();
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    await zone.waitFor();
    await keyboard.tabTo(zone);
    await zone.press('Control+a');
    await keyboard.type('ho chi');
    await page.getByRole('option', { name: 'Asia/Ho_Chi_Minh' }).waitFor();
    await keyboard.press('ArrowDown', 'Enter');
    await keyboard.tabTo(page.getByRole('radiogroup', { name: 'Reminders' }).getByRole('radio', { checked: true }));
    await keyboard.press('ArrowRight');
    await keyboard.tabTo(page.getByLabel('Time of the daily summary'));
    await keyboard.type('1730');
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot(page, 'preferences-changed-en-light-1440');
    await keyboard.press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await stored()).toEqual({
      ...DEFAULTS,
      timeZone: 'Asia/Ho_Chi_Minh',
      mail: { ...DEFAULTS.mail, REMINDER: 'digest' },
      digestAt: '17:30',
    });
    await page.getByRole('radiogroup', { name: 'Reminders' }).getByRole('radio', { checked: true }).focus();
    await keyboard.press('ArrowRight');
    await keyboard.tabTo(page.getByRole('button', { name: 'Save', exact: true }));
    await keyboard.press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.closest('main')?.id)).toBe('content');
  });
});

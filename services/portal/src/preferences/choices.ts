import { MAIL_KINDS, type MailKind, type MailMode, type Preferences } from '../api/preferences.js';
import type { Fields } from '../order/conflict/three-way-merge.js';

/** What is chosen on the page, each a value of its own. */
export type Choice = 'locale' | 'timeZone' | MailKind | 'digestAt';

export const MAIL_MODES: readonly MailMode[] = ['now', 'digest', 'off'];

export const choicesOf = ({ locale, timeZone, mail, digestAt }: Preferences): Fields<string> =>
  new Map<Choice, string>([
    ['locale', locale],
    ['timeZone', timeZone],
    ...MAIL_KINDS.map((kind) => [kind, mail[kind]] as const),
    ['digestAt', digestAt],
  ]);

/** Preferences with what was chosen instead. */
export function withChoices(preferences: Preferences, chosen: Fields<string>): Preferences {
  const of = <T extends string>(choice: Choice, present: T): T => (chosen.get(choice) as T | undefined) ?? present;
  const { locale, timeZone, mail, digestAt } = preferences;
  return {
    locale: of('locale', locale),
    timeZone: of('timeZone', timeZone),
    mail: {
      TRANSITION: of('TRANSITION', mail.TRANSITION),
      MESSAGE: of('MESSAGE', mail.MESSAGE),
      REMINDER: of('REMINDER', mail.REMINDER),
    },
    digestAt: of('digestAt', digestAt),
  };
}

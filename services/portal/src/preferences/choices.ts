import type { Preferences } from '../api/schemas.js';
import type { Fields } from '../order/conflict/three-way-merge.js';

type MailKind = keyof Preferences['mail'];

/** Fields of the page, each with its own value. */
export type Choice = 'locale' | 'timeZone' | MailKind | 'digestAt';

export const MAIL_KINDS = ['TRANSITION', 'MESSAGE', 'REMINDER'] as const satisfies readonly MailKind[];
export const MAIL_MODES = ['now', 'digest', 'off'] as const;

export const choicesOf = ({ locale, timeZone, mail, digestAt }: Preferences): Fields<string> =>
  new Map<Choice, string>([
    ['locale', locale],
    ['timeZone', timeZone],
    ...MAIL_KINDS.map((kind) => [kind, mail[kind]] as const),
    ['digestAt', digestAt],
  ]);

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

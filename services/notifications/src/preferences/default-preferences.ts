import { type Preferences, localeOf } from '@po/contracts';

/** Stored preferences; kinds that were added later are missing. */
export type StoredPreferences = Omit<Preferences, 'mail'> & { mail: Partial<Preferences['mail']> };

type Chosen = Omit<StoredPreferences, 'locale'> & Partial<Pick<Preferences, 'locale'>>;

/** Preferences of users who have chosen nothing. */
export class DefaultPreferences {
  constructor(private readonly defaults: Omit<Preferences, 'locale'>) {}

  /** The user's choices, completed by the defaults and the language of the user's token. */
  complete(chosen: StoredPreferences | null, tokenLocale: string | null): Preferences {
    const { locale = localeOf(tokenLocale), timeZone, mail, digestAt }: Chosen = { ...this.defaults, ...chosen };
    return {
      locale,
      timeZone,
      mail: { ...this.defaults.mail, ...mail },
      digestAt,
    };
  }
}

import { type Preferences, localeOf } from '@po/contracts';

/** Stored preferences; a kind that came later is missing in them. */
export type StoredPreferences = Omit<Preferences, 'mail'> & { mail: Partial<Preferences['mail']> };

type Chosen = Omit<StoredPreferences, 'locale'> & Partial<Pick<Preferences, 'locale'>>;

/** What holds for users who chose nothing. */
export class DefaultPreferences {
  constructor(private readonly defaults: Omit<Preferences, 'locale'>) {}

  /** What a user chose, else the defaults, in the language of the user's token. */
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

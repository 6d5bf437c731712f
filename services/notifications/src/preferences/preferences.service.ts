import { Injectable } from '@nestjs/common';
import { type Actor, type Preferences, ProblemError, type Unsubscription } from '@po/contracts';
import { DELETED_ROLE, type Send, type Statement } from '@po/database';
import { type Reply, etagOf, noContent, ok, stalenessOf } from '@po/messaging';
import { Databases } from '../store/databases.js';
import { type WriteContext, scopeOf, writeOnce } from '../store/write-once.js';
import { DefaultPreferences, type StoredPreferences } from './default-preferences.js';

interface Stored extends StoredPreferences {
  version: number;
}

const FIELDS = `locale, time_zone AS "timeZone", mail, digest_at AS "digestAt"`;

const FIND: Statement = {
  name: 'preferences-find',
  text: `SELECT version, ${FIELDS} FROM preferences WHERE user_id = $1`,
};

const SAVE: Statement = {
  name: 'preferences-save',
  text: `INSERT INTO preferences (user_id, version, locale, time_zone, mail, digest_at, updated_at)
         VALUES ($1, 1, $2, $3, $4, $5, clock_timestamp())
             ON CONFLICT (user_id) DO UPDATE SET version = preferences.version + 1, locale = $2, time_zone = $3, mail = $4,
                digest_at = $5, updated_at = clock_timestamp()
         RETURNING version, ${FIELDS}`,
  rows: 1,
};

const FIND_USER: Statement = { name: 'preferences-user', text: 'SELECT role, locale FROM users WHERE user_id = $1' };

/** Notification preferences of users. */
@Injectable()
export class PreferencesService {
  constructor(
    private readonly databases: Databases,
    private readonly defaults: DefaultPreferences,
  ) {}

  /** Returns the preferences of a user; version 0 means the defaults. */
  async get(actor: Actor): Promise<Reply<Preferences>> {
    const [stored] = await this.databases.user.read<Stored>(scopeOf(actor), FIND, [actor.sub]);
    return this.answer(actor, stored);
  }

  /** Throws VERSION_MISMATCH and the errors of `writeOnce`. */
  replace(chosen: Preferences, context: WriteContext): Promise<Reply<Preferences>> {
    const { actor, ifMatch } = context;
    return writeOnce(this.databases, context, chosen, async (send) => {
      const [before] = await send<Stored>(FIND, [actor.sub]);
      const stale = stalenessOf(ifMatch, before?.version ?? 0);
      if (stale) throw stale;
      return this.answer(actor, await save(send, actor, chosen));
    });
  }

  /** Turns mail about these kinds off, for the unsubscribe link in a mail. Throws ROLE_NOT_ALLOWED for a user other than the caller. */
  async turnOff(unsubscription: Unsubscription, context: WriteContext): Promise<Reply<never>> {
    const { userId, kinds } = unsubscription;
    if (userId !== context.actor.sub) throw new ProblemError('ROLE_NOT_ALLOWED');
    // The link carries no token: without stored preferences, the language comes from the user's last token.
    const [user] = await this.databases.internal.read<{ role: string; locale: string | null }>(null, FIND_USER, [
      userId,
    ]);
    // The link is from an old mail and the user was deleted since: there is no mail to turn off.
    if (user?.role === DELETED_ROLE) return noContent();
    const [chosen] = await this.databases.user.read<Stored>(scopeOf(context.actor), FIND, [userId]);
    // Anyone with the link can send it repeatedly: that must neither store an answer each time nor change the version that the user is
    // editing.
    if (chosen && kinds.every((kind) => chosen.mail[kind] === 'off')) return noContent();
    return writeOnce(this.databases, context, unsubscription, async (send) => {
      const [before] = await send<Stored>(FIND, [userId]);
      const present = this.defaults.complete(before ?? null, user?.locale ?? null);
      const off = Object.fromEntries(kinds.map((kind) => [kind, 'off'] as const));
      await save(send, context.actor, { ...present, mail: { ...present.mail, ...off } });
      return noContent();
    });
  }

  private answer({ locale }: Actor, stored: Stored | undefined): Reply<Preferences> {
    return ok(this.defaults.complete(stored ?? null, locale), { etag: etagOf(stored?.version ?? 0) });
  }
}

async function save(
  send: Send,
  { sub }: Actor,
  { locale, timeZone, mail, digestAt }: Preferences,
): Promise<Stored | undefined> {
  const [stored] = await send<Stored>(SAVE, [sub, locale, timeZone, JSON.stringify(mail), digestAt]);
  return stored;
}

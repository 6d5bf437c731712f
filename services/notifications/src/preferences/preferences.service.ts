import { Injectable } from '@nestjs/common';
import { type Actor, type Preferences, ProblemError, type Unsubscription } from '@po/contracts';
import type { Scope, Send, Statement } from '@po/database';
import { type Reply, type RpcContext, etagOf, noContent, ok, stalenessOf, unavailable } from '@po/messaging';
import { FIND_DELETION, HOLD_DIRECTORY } from '../store/directory.js';
import { Databases } from '../store/databases.js';
import { BACK_WITHIN_MS, untilAnnounced } from '../store/until-announced.js';
import { DELETED_ROLE } from '../store/user.entity.js';
import { DefaultPreferences, type StoredPreferences } from './default-preferences.js';

type Context = Pick<RpcContext, 'actor' | 'ifMatch' | 'commandId' | 'deadline'>;

interface Stored extends StoredPreferences {
  version: number;
}

const FIELDS = `locale, time_zone AS "timeZone", mail, digest_at AS "digestAt"`;

const FIND: Statement = {
  name: 'preferences-find',
  text: `SELECT version, ${FIELDS} FROM preferences WHERE user_id = $1`,
};

// Of two first writes at a time the second waits here for the row of the first. What is refused afterwards is rolled back with it.
const BEGIN: Statement = {
  name: 'preferences-begin',
  text: `INSERT INTO preferences (user_id, version, command_id, locale, time_zone, mail, digest_at, updated_at)
         VALUES ($1, 0, '', '', '', '{}', '', clock_timestamp()) ON CONFLICT (user_id) DO NOTHING`,
};
const LOCK: Statement = {
  name: 'preferences-lock',
  text: `SELECT version, command_id AS "commandId", ${FIELDS} FROM preferences WHERE user_id = $1 FOR UPDATE`,
};
const REPLACE: Statement = {
  name: 'preferences-replace',
  text: `UPDATE preferences SET version = version + 1, command_id = $2, locale = $3, time_zone = $4, mail = $5, digest_at = $6,
                                updated_at = clock_timestamp()
          WHERE user_id = $1 RETURNING version, ${FIELDS}`,
};

const FIND_USER: Statement = { name: 'preferences-user', text: 'SELECT role, locale FROM users WHERE user_id = $1' };

/** What users choose about how they are notified. */
@Injectable()
export class PreferencesService {
  constructor(
    private readonly databases: Databases,
    private readonly defaults: DefaultPreferences,
  ) {}

  /** Version 0 stands for the defaults of a user who chose nothing. */
  async get(actor: Actor): Promise<Reply<Preferences>> {
    const [stored] = await this.databases.user.read<Stored>(scopeOf(actor), FIND, [actor.sub]);
    return this.answer(actor, stored);
  }

  /**
   * Throws VERSION_MISMATCH, or UNAVAILABLE where a deleted user is not known again in time. A command that is delivered again is answered
   * with what it stored.
   */
  async replace(chosen: Preferences, context: Context): Promise<Reply<Preferences>> {
    const { actor, ifMatch } = context;
    const stored = await this.change(context, ({ version }) => {
      const stale = stalenessOf(ifMatch, version);
      if (stale) throw stale;
      return chosen;
    });
    return this.answer(actor, stored);
  }

  /** Turns mail about these kinds off, as the link of a mail asks. Throws ROLE_NOT_ALLOWED for another user than the caller. */
  async turnOff({ userId, kinds }: Unsubscription, context: Context): Promise<Reply<never>> {
    if (userId !== context.actor.sub) throw new ProblemError('ROLE_NOT_ALLOWED');
    // The link has no token: without stored preferences, the language is that of the last token of the user.
    const [user] = await this.databases.internal.read<{ role: string; locale: string | null }>(null, FIND_USER, [
      userId,
    ]);
    // An old mail of a user who was deleted since: there is none to turn off.
    if (user?.role === DELETED_ROLE) return noContent();
    await this.change(context, (before) => {
      const present = this.defaults.complete(before.version > 0 ? before : null, user?.locale ?? null);
      const off = Object.fromEntries(kinds.map((kind) => [kind, 'off'] as const));
      return { ...present, mail: { ...present.mail, ...off } };
    });
    return noContent();
  }

  /** Stores what `decide` makes of the present preferences (version 0: none), once for each command. */
  private change(
    { actor, commandId, deadline }: Context,
    decide: (before: Stored) => Preferences,
  ): Promise<Stored | undefined> {
    const write = async (send: Send) => {
      // As for views: a deletion of the user waits for this, and what waits for a deletion finds it.
      void send(HOLD_DIRECTORY);
      void send(BEGIN, [actor.sub]);
      const [[deletion], [before]] = await Promise.all([
        send(FIND_DELETION, [actor.sub]),
        send<Stored & { commandId: string }>(LOCK, [actor.sub]),
      ]);
      if (deletion) throw unavailable();
      if (!before || before.commandId === commandId) return before;
      return replaceBy(send, actor, commandId, decide(before));
    };
    return untilAnnounced('UNAVAILABLE', { forMs: BACK_WITHIN_MS, deadline }, () =>
      this.databases.user.transaction(scopeOf(actor), write),
    );
  }

  private answer({ locale }: Actor, stored: Stored | undefined): Reply<Preferences> {
    return ok(this.defaults.complete(stored ?? null, locale), { etag: etagOf(stored?.version ?? 0) });
  }
}

async function replaceBy(
  send: Send,
  { sub }: Actor,
  commandId: string,
  { locale, timeZone, mail, digestAt }: Preferences,
): Promise<Stored | undefined> {
  const [stored] = await send<Stored>(REPLACE, [sub, commandId, locale, timeZone, JSON.stringify(mail), digestAt]);
  return stored;
}

const scopeOf = ({ sub }: Actor): Scope => ({ setting: 'app.user', value: sub });

import { Injectable } from '@nestjs/common';
import { type DeleteUser, ProblemError, type UserDeleted, type UserSeen } from '@po/contracts';
import {
  DELETED_ROLE,
  type Send,
  type Statement,
  assignments,
  insertRows,
  isNewer,
  rowsIn,
  selectList,
} from '@po/database';
import { GroupCommit, OutboxRelay, type Reply, type RpcContext, noContent } from '@po/messaging';
import { Databases } from '../store/databases.js';
import { LOCK_DIRECTORY } from '../store/locks.js';
import { NOTIFICATION_ID, RECEIVES, UserRetention, isRetained } from '../store/user-directory.js';
import { DELETION_STATEMENT_MS, deleteUser, applyDeletion } from './user-deletion.js';
import { AUDIENCE_OF_USER } from '../inbox/inbox.js';
import { InboxSignals } from '../inbox/inbox-signals.js';
import { DirectoryUser } from '../store/user.entity.js';
import { type WriteContext, writeOnce } from '../store/write-once.js';

const BACKFILL_DAYS = 30;
const BACKFILL_LIMIT = 200;
const MAX_USERS = 64;
/** A user who was seen just before the deletion request is in the directory within this time. */
const FIRST_SEEN_TIMEOUT_MS = 1_000;

type Described = Omit<DirectoryUser, 'deletedAt' | 'lastSeq'>;
type Known = Pick<DirectoryUser, 'userId' | 'seenAt' | 'issuedAt' | 'role' | 'deletedAt'>;

const KNOWN: Statement = {
  name: 'users-known',
  text: `SELECT ${selectList(DirectoryUser, 'u', ['userId', 'seenAt', 'issuedAt', 'role', 'deletedAt'])}
           FROM users u WHERE user_id = ANY($1)`,
};

const INSERT: Statement = {
  name: 'users-insert',
  text: `${insertRows(DirectoryUser, { without: ['deletedAt', 'lastSeq'] })} ON CONFLICT DO NOTHING RETURNING user_id AS "userId"`,
};
const REPLACE_OLDER: Statement = {
  name: 'users-replace-older',
  text: `UPDATE users u SET ${assignments(DirectoryUser, ['userId', 'seenAt', 'deletedAt', 'lastSeq'])},
                seen_at = GREATEST(u.seen_at, n."seenAt")
           FROM ${rowsIn(DirectoryUser)}, users before
          WHERE u.user_id = n."userId" AND before.user_id = u.user_id
            AND ${isNewer('u', 'n."issuedAt"', 'n."seenAt"')}
        RETURNING u.user_id AS "userId", before.role AS "roleBefore"`,
};

/** Maintains the user directory. Gives new and returning users the notifications that they would have received. */
@Injectable()
export class UserDirectory {
  private readonly arrivals = new GroupCommit<UserSeen>((users) => this.take(users), { maxItems: MAX_USERS });

  constructor(
    private readonly databases: Databases,
    private readonly signals: InboxSignals,
    private readonly relay: OutboxRelay,
    private readonly userRetention: UserRetention,
  ) {}

  /** Stores a user as described by their newest token. An older or repeated description changes nothing. */
  seen(user: UserSeen): Promise<void> {
    return this.arrivals.add(user);
  }

  /**
   * Deletes a user once per key and immediately ends their notifications. Throws ROLE_NOT_ALLOWED, USER_NOT_FOUND for a user who was never
   * seen, or the errors of `writeOnce`. The body is for the caller; the 204 to the client has none.
   */
  async delete(
    { userId }: DeleteUser,
    context: WriteContext & Pick<RpcContext, 'traceparent'>,
  ): Promise<Reply<UserDeleted>> {
    const { actor, deadline, traceparent } = context;
    if (actor.role !== 'ADMIN') throw new ProblemError('ROLE_NOT_ALLOWED');
    const { internal, untilUserKnown } = this.databases;
    await untilUserKnown.retry('USER_NOT_FOUND', { forMs: FIRST_SEEN_TIMEOUT_MS, deadline }, async () => {
      const [known] = await internal.read(null, KNOWN, [[userId]]);
      if (!known) throw new ProblemError('USER_NOT_FOUND');
    });
    const remove = async (send: Send): Promise<Reply<never>> => {
      await deleteUser(send, userId, traceparent);
      return noContent();
    };
    const reply = await writeOnce(this.databases, context, null, remove, (run) =>
      internal.transaction(
        null,
        async (send) => {
          await send(LOCK_DIRECTORY);
          return run(send);
        },
        DELETION_STATEMENT_MS,
      ),
    );
    this.relay.wake();
    this.signals.signalDeleted(userId);
    const [user] = await internal.read<Known>(null, KNOWN, [[userId]]);
    return user?.deletedAt ? { ...reply, body: { sub: userId, deletedAt: user.deletedAt.toISOString() } } : reply;
  }

  /** Applies an announced deletion. It is delivered again when the directory is rebuilt. */
  async deleted(user: UserDeleted): Promise<void> {
    const { internal } = this.databases;
    await internal.transaction(null, (send) => applyDeletion(send, user), DELETION_STATEMENT_MS);
    // The process that deleted the user may have died before it sent its signal.
    this.signals.signalDeleted(user.sub);
  }

  // One transaction for each user who may get a backfill, so that fan-outs wait for at most one. The others share one: gateways
  // announce all active users again after their start. One after another, because concurrent transactions would only wait for each
  // other's lock, each on a connection of its own.
  private async take(users: readonly UserSeen[]): Promise<void> {
    const { internal } = this.databases;
    const rows = await internal.read<Known>(null, KNOWN, [users.map(({ sub }) => sub)]);
    const knownAs = new Map(rows.map((row) => [row.userId, row]));
    const known = new Map<string, Described>();
    const others: Described[] = [];
    for (const { sub, role, vendorCode, email, locale, seenAt, issuedAt } of users) {
      const times = { seenAt: new Date(seenAt), issuedAt: issuedAt === undefined ? null : new Date(issuedAt) };
      const user = { userId: sub, role, vendorCode, email, locale, ...times };
      const before = known.get(sub) ?? knownAs.get(sub);
      if (before && !isNewerThan(before, user)) {
        // Older than the deletion, or from a clock that is behind: then the gateway must announce the user again.
        if (before.role === DELETED_ROLE) this.signals.signalDeleted(sub);
      } else if (before && before.role !== DELETED_ROLE) known.set(sub, user);
      else others.push(user);
    }
    for (const described of [[...known.values()], ...others.map((user) => [user])]) {
      if (described.length === 0) continue;
      // A backfill may have given these users notifications.
      this.signals.signal(await internal.transaction(null, (send) => describe(send, described, this.userRetention)));
    }
  }
}

/** `isNewer` of the database, for users who arrive together. */
function isNewerThan(known: Pick<Known, 'seenAt' | 'issuedAt'>, user: Described): boolean {
  const [issued, before] = [user.issuedAt?.getTime(), known.issuedAt?.getTime()];
  return issued === undefined || before === undefined || issued === before
    ? user.seenAt > known.seenAt
    : issued > before;
}

/** Returns the users who are new or were deleted before. */
async function describe(send: Send, users: readonly Described[], userRetention: UserRetention): Promise<string[]> {
  await send(LOCK_DIRECTORY);
  const rows = JSON.stringify(users);
  const [inserted, replaced] = await Promise.all([
    send<{ userId: string }>(INSERT, [rows]),
    send<{ userId: string; roleBefore: string }>(REPLACE_OLDER, [rows]),
  ]);
  const returned = replaced.filter(({ roleBefore }) => roleBefore === DELETED_ROLE);
  const came = [...inserted, ...returned].map(({ userId }) => userId);
  for (const user of users) if (came.includes(user.userId)) await backfill(send, user, userRetention);
  return came;
}

async function backfill(send: Send, { userId, role }: Described, { days }: UserRetention): Promise<void> {
  const conditions = [RECEIVES.NAMED, ...(role === 'VENDOR' || role === 'BUYER' ? [RECEIVES[role]] : [])];
  await send(
    `WITH missed AS (
       SELECT * FROM (${conditions.map(newestOf).join(' UNION ')}) each ORDER BY occurred_at DESC, history_id DESC LIMIT $3
     ), counted AS (
       UPDATE users SET last_seq = last_seq + (SELECT count(*) FROM missed) WHERE user_id = $1
     )
     INSERT INTO notifications (id, user_id, audience, seq, history_id, kind, created_at)
     SELECT ${NOTIFICATION_ID}, user_id, audience, last_seq + row_number() OVER (ORDER BY occurred_at, history_id), history_id,
            kind, LEAST(occurred_at, statement_timestamp())
       FROM missed`,
    [userId, BACKFILL_DAYS, BACKFILL_LIMIT, days],
  );
}

// A subquery per condition, so that each finds its entries by its own index.
const newestOf = (received: string): string =>
  `(SELECT u.user_id, t.history_id, t.kind, t.occurred_at, u.last_seq, ${AUDIENCE_OF_USER} AS audience FROM transitions t, users u
     WHERE u.user_id = $1 AND ${received} AND ${isRetained('$4')} AND t.occurred_at > clock_timestamp() - $2 * interval '1 day'
     ORDER BY t.occurred_at DESC, t.history_id DESC LIMIT $3)`;

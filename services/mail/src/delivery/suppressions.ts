import { Injectable } from '@nestjs/common';
import { type Actor, type DeleteSuppression, ProblemError, type Suppression } from '@po/contracts';
import { Database, type Send, type Statement } from '@po/database';
import { type Reply, type RpcContext, idempotencyHash, noContent, ok, repeatedReply } from '@po/messaging';

const DAYS = 7;
/** Number of refusals after which an address is suppressed permanently. */
const PERMANENT_AFTER = 3;

const ACTIVE = '(until IS NULL OR until > now())';
const LIST: Statement = {
  name: 'suppressions',
  text: `SELECT address, reason, failures, since, until FROM suppressions WHERE ${ACTIVE} ORDER BY since DESC, address LIMIT 1000`,
};
const IS_SUPPRESSED: Statement = {
  name: 'suppressed',
  text: `SELECT 1 FROM suppressions WHERE address = lower($1) AND ${ACTIVE}`,
};
// Refusals of concurrent mails count once: an active suppression stays unchanged.
const SUPPRESS: Statement = {
  name: 'suppress',
  text: `
    INSERT INTO suppressions AS s (address, reason, failures, since, until)
    VALUES (lower($1), $2, 1, now(), now() + interval '${DAYS} days')
        ON CONFLICT (address) DO UPDATE
       SET reason = excluded.reason, failures = s.failures + 1, since = excluded.since,
           until = CASE WHEN s.failures + 1 < ${PERMANENT_AFTER} THEN excluded.until END
     WHERE s.until <= now()`,
};

// An expired one too, although it is not listed: it still holds an address and counts as an earlier refusal.
const REMOVE = 'DELETE FROM suppressions WHERE address = lower($1) RETURNING 1';
const PURGE_KEYS = `DELETE FROM suppression_deletions WHERE created_at < now() - interval '24 hours'`;
// Waits for a concurrent request with the same key.
const RESERVE_KEY =
  'INSERT INTO suppression_deletions (key_hash, command_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1';
const FIND_KEY = 'SELECT command_id AS "commandId" FROM suppression_deletions WHERE key_hash = $1';

type RemoveContext = Pick<RpcContext, 'actor' | 'commandId' | 'idempotencyKey' | 'method' | 'path'>;

/** Addresses that the mail server refused. */
@Injectable()
export class Suppressions {
  constructor(private readonly database: Database) {}

  /** Throws ROLE_NOT_ALLOWED. */
  async list({ role }: Actor): Promise<Reply<Suppression[]>> {
    if (role !== 'ADMIN') throw new ProblemError('ROLE_NOT_ALLOWED');
    const rows = await this.database.read<Suppression>(null, LIST);
    return ok(rows);
  }

  /**
   * Deletes a suppression, so that the address gets mail again, once per key: a repeated request gets the same answer for 24 hours. Throws
   * ROLE_NOT_ALLOWED or SUPPRESSION_NOT_FOUND; then no key is stored.
   */
  async remove({ address }: DeleteSuppression, context: RemoveContext): Promise<Reply<never>> {
    const { actor, commandId, path } = context;
    if (actor.role !== 'ADMIN') throw new ProblemError('ROLE_NOT_ALLOWED');
    const keyHash = idempotencyHash(context, path);
    return this.database.transaction(null, async (send) => {
      await send(PURGE_KEYS);
      const [reserved] = await send(RESERVE_KEY, [keyHash, commandId]);
      if (!reserved) {
        const [first] = await send<{ commandId: string }>(FIND_KEY, [keyHash]);
        return repeatedReply(noContent(), first?.commandId ?? '', commandId);
      }
      const [removed] = await send(REMOVE, [address]);
      if (!removed) throw new ProblemError('SUPPRESSION_NOT_FOUND');
      return noContent();
    });
  }

  async includes(address: string): Promise<boolean> {
    return (await this.database.read(null, IS_SUPPRESSED, [address])).length > 0;
  }

  /** Records a refusal: no mail for a week, and none at all after the third refusal. */
  async suppress(send: Send, address: string, reason: string): Promise<void> {
    await send(SUPPRESS, [address, reason]);
  }

  /** Clears earlier refusals after a mail was accepted. */
  async clear(send: Send, address: string): Promise<void> {
    await send('DELETE FROM suppressions WHERE address = lower($1)', [address]);
  }
}

import { ProblemError } from '@po/contracts';
import type { Scope, Send, Statement } from '@po/database';
import {
  type Reply,
  type RpcContext,
  hashOfJson,
  idempotencyHash,
  noContent,
  repeatedReply,
  unavailable,
} from '@po/messaging';
import type { Databases } from './databases.js';
import { KEY_RETENTION_HOURS } from './dedup-window.js';
import { LOCK_DIRECTORY_SHARED, LOCK_USER } from './locks.js';
import { FIND_DELETION } from './user-directory.js';

/** Maximum milliseconds that a write of a deleted user waits for the announcement of the user's return. */
const REANNOUNCE_TIMEOUT_MS = 2_000;

// $1: hash of the key
const FIND_ANSWER: Statement = {
  name: 'commands-find-answer',
  text: `SELECT command_id AS "commandId", body_hash AS "bodyHash", response FROM view_commands
          WHERE key_hash = $1 AND created_at > now() - interval '${KEY_RETENTION_HOURS} hours'`,
};
// Overwrites a record that has expired but is not purged yet.
const SAVE_ANSWER: Statement = {
  name: 'commands-save-answer',
  text: `INSERT INTO view_commands (key_hash, user_id, command_id, body_hash, response, created_at)
         VALUES ($1, $2, $3, $4, $5, clock_timestamp())
             ON CONFLICT (key_hash) DO UPDATE SET command_id = excluded.command_id, body_hash = excluded.body_hash,
                response = excluded.response, created_at = excluded.created_at`,
};

export type WriteContext = Pick<
  RpcContext,
  'actor' | 'ifMatch' | 'commandId' | 'idempotencyKey' | 'method' | 'path' | 'deadline'
>;

type InTransaction = <T>(run: (send: Send) => Promise<T>) => Promise<T>;

/** Idempotency record of a request; a body is JSON, and a 204 has none. */
interface Answered<Body> {
  commandId: string;
  bodyHash: string;
  response: Reply<Body>;
}

/**
 * Writes for a user in one transaction, and once per key of that user and role: a repeated request gets the first answer again for 24
 * hours. Throws IDEMPOTENCY_KEY_REUSED for another body, UNAVAILABLE if a deleted user is not announced again in time, or the errors of
 * `write`; then nothing is stored. `inTransaction`: by default in the scope of the user.
 */
export function writeOnce<Body>(
  databases: Databases,
  context: WriteContext,
  body: unknown,
  write: (send: Send) => Promise<Reply<Body>>,
  inTransaction: InTransaction = (run) => databases.user.transaction(scopeOf(context.actor), run),
): Promise<Reply<Body>> {
  const { actor, commandId, path, deadline } = context;
  const { sub } = actor;
  const keyHash = idempotencyHash(context, path);
  const bodyHash = hashOfJson(body);
  const once = async (send: Send) => {
    // A deletion waits for this lock, or this transaction sees the deletion: nothing is stored for a deleted user.
    void send(LOCK_DIRECTORY_SHARED);
    void send(LOCK_USER, [sub]);
    const [[deletion], [answered]] = await Promise.all([
      send(FIND_DELETION, [sub]),
      send<Answered<Body>>(FIND_ANSWER, [keyHash]),
    ]);
    if (answered) {
      if (answered.bodyHash !== bodyHash) throw new ProblemError('IDEMPOTENCY_KEY_REUSED');
      const { response } = answered;
      const reply = response.status === 204 ? { ...noContent(), headers: response.headers } : response;
      return repeatedReply(reply, answered.commandId, commandId);
    }
    // The user may have returned without the directory knowing it yet.
    if (deletion) throw unavailable();
    const reply = await write(send);
    void send(SAVE_ANSWER, [keyHash, sub, commandId, bodyHash, JSON.stringify(reply)]);
    return reply;
  };
  const limits = { forMs: REANNOUNCE_TIMEOUT_MS, deadline };
  return databases.untilUserKnown.retry('UNAVAILABLE', limits, () => inTransaction(once));
}

/** The user whose rows are visible and writable. */
export const scopeOf = ({ sub }: RpcContext['actor']): Scope => ({ setting: 'app.user', value: sub });

import { ProblemError } from '@po/contracts';
import type { Scope, Send, Statement } from '@po/database';
import { type Reply, type RpcContext, hashOfJson, noContent, unavailable } from '@po/messaging';
import type { Databases } from './databases.js';
import { KEY_KEPT_HOURS } from './dedup-window.js';
import { FIND_DELETION, HOLD_DIRECTORY } from './directory.js';
import { BACK_WITHIN_MS, untilAnnounced } from './until-announced.js';

// Any constant works as long as nothing else of this database uses it.
const LOCK = 7_301_162;

/** Writes of one user come one after another: none finds room, a version or a key that another one takes. $1: user. */
const LOCK_USER: Statement = {
  name: 'commands-lock-user',
  text: `SELECT pg_advisory_xact_lock(${LOCK}, hashtext($1))`,
};
// $1: hash of the key
const FIND_ANSWER: Statement = {
  name: 'commands-find-answer',
  text: `SELECT command_id AS "commandId", body_hash AS "bodyHash", response FROM view_commands
          WHERE key_hash = $1 AND created_at > now() - interval '${KEY_KEPT_HOURS} hours'`,
};
// Over one that is too old and not purged yet.
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

/** What a request was answered; a body is JSON, and a 204 has none. */
interface Answered<Body> {
  commandId: string;
  bodyHash: string;
  response: Reply<Body>;
}

/**
 * Writes for a user in one transaction, and once for each key of theirs in each role: what a repeated request was answered before is
 * answered again for 24 hours. Throws IDEMPOTENCY_KEY_REUSED for another body, UNAVAILABLE where a deleted user is not known again in
 * time, or what `write` throws; then nothing is stored.
 */
export function writeOnce<Body>(
  databases: Databases,
  { actor, commandId, idempotencyKey, method, path, deadline }: WriteContext,
  body: unknown,
  write: (send: Send) => Promise<Reply<Body>>,
): Promise<Reply<Body>> {
  const { sub, role, vendorCode } = actor;
  const keyHash = hashOfJson([sub, role, vendorCode, method, path, idempotencyKey ?? commandId]);
  const bodyHash = hashOfJson(body);
  const once = async (send: Send) => {
    // A deletion of the user waits for this, and what waits for a deletion finds it: nothing is stored for a deleted user.
    void send(HOLD_DIRECTORY);
    void send(LOCK_USER, [sub]);
    const [[deletion], [answered]] = await Promise.all([
      send(FIND_DELETION, [sub]),
      send<Answered<Body>>(FIND_ANSWER, [keyHash]),
    ]);
    // Or the user is back, and the directory has not heard of it yet.
    if (deletion) throw unavailable();
    if (answered) {
      if (answered.bodyHash !== bodyHash) throw new ProblemError('IDEMPOTENCY_KEY_REUSED');
      return repeated(answered, commandId);
    }
    const reply = await write(send);
    void send(SAVE_ANSWER, [keyHash, sub, commandId, bodyHash, JSON.stringify(reply)]);
    return reply;
  };
  return untilAnnounced('UNAVAILABLE', { forMs: BACK_WITHIN_MS, deadline }, () =>
    databases.user.transaction(scopeOf(actor), once),
  );
}

/** The user whose rows are seen and written. */
export const scopeOf = ({ sub }: RpcContext['actor']): Scope => ({ setting: 'app.user', value: sub });

// The same command delivered again answers the same request: only another request is told that its answer is a repeated one.
function repeated<Body>({ response, commandId: first }: Answered<Body>, commandId: string): Reply<Body> {
  const { headers } = response;
  const told = first === commandId ? headers : { ...headers, 'idempotency-replayed': 'true' };
  return { ...(response.status === 204 ? noContent() : response), headers: told };
}

import { ProblemError } from '@po/contracts';
import { type Send, type Statement, insertRows, onConflictUpdate, rowParameters } from '@po/database';
import {
  SerializedJson,
  type Reply,
  type RpcContext,
  hashOfJson,
  idempotencyHash,
  repeatedReply,
  serializeBody,
  withSerializedBody,
} from '@po/messaging';
import { CommandEntity } from './command.entity.js';
import type { Access } from '../store/databases.js';
import { LOCKS } from '../store/locks.js';
import { RefusalEntity } from './refusal.entity.js';

const CLIENT_KEY_MS = 24 * 60 * 60_000;
/** A client learns a key that the gateway generated only from a 504, and can use it only shortly afterwards. */
const GENERATED_KEY_MS = 10 * 60_000;
/** A redelivered command is dropped after its deadline; the clocks of two machines differ by less than this. */
const CLOCK_SKEW_MS = 60_000;

// A redelivered command waits for its first delivery and then finds its outcome. Another command with the same key does not wait.
const RESERVE: Statement = {
  name: 'reserve-command',
  text: `SELECT pg_advisory_xact_lock(hashtextextended($1, ${LOCKS.command})),
                set_config('app.key_claimed',
                           pg_try_advisory_xact_lock(hashtextextended($2, ${LOCKS.key}))::text, true) AS claimed`,
};
// Uses the service's clock, which set the expiry: with the clock of a database that is ahead, a recent command would run again.
const FIND: Statement = {
  name: 'find-command',
  text: `SELECT (SELECT row_to_json(r) FROM command_refusals r WHERE r.command_id = $1 AND r.expires_at > $3) AS refusal,
                (SELECT row_to_json(c) FROM command_log c WHERE c.key_hash = $2 AND c.expires_at > $3) AS answer`,
};
const SAVE_REFUSAL: Statement = {
  name: 'save-refusal',
  text: `${insertRows(RefusalEntity)} ${onConflictUpdate(RefusalEntity, ['commandId'])}`,
};

const ANSWER = rowParameters(CommandEntity, 1);
const SAVE_ANSWER: Statement = {
  name: 'save-answer',
  text: `INSERT INTO command_log (${ANSWER.columns.join(', ')}) VALUES (${ANSWER.parameters.join(', ')})
    ${onConflictUpdate(CommandEntity, ['keyHash'])}`,
};

/** A command and the idempotency key that it reserves. */
export interface IdempotencyKey {
  context: RpcContext;
  keyHash: string;
  bodyHash: string;
}

/** Message type and reference replace the path, whose letter case may vary. The key is bound to `body`. */
export function idempotencyKeyOf(context: RpcContext, poRef: string, body: unknown): IdempotencyKey {
  return { context, keyHash: idempotencyHash(context, context.type, poRef), bodyHash: hashOfJson(body) };
}

/** The reply to a command that was executed now. */
interface Answered {
  reply: Reply;
  /** True if the statement that saved the changes has saved the reply, too. */
  isSaved?: boolean;
}

/**
 * Executes a command once, in one transaction; a repetition returns the earlier reply. `read` needs no extra round trip. `decide` saves
 * its changes and returns the reply, or throws a ProblemError before it saves anything. Such a refusal is committed, so that a redelivered
 * command is refused again, and then thrown. Only one that is not final is forgotten, like any other error: nothing is saved, and the same
 * command may be executed again.
 */
export async function executeCommand<Read, Done extends Answered>(
  access: Pick<Access, 'transaction'>,
  key: IdempotencyKey,
  read: (send: Send) => Promise<Read>,
  decide: (send: Send, read: Read) => Done | Promise<Done>,
  isFinal: (refusal: ProblemError) => boolean = () => true,
): Promise<Done | { reply: Reply<never> }> {
  const outcome = await access.transaction(async (send) => {
    const [{ refusal, answer, claimed }, known] = await Promise.all([reserve(send, key), read(send)]);
    if (refusal) return new ProblemError(refusal.code, refusal.members, refusal.options);
    if (answer?.body_hash === key.bodyHash) return { reply: replayed(answer, key.context.commandId) };
    try {
      if (!claimed) throw new ProblemError('IDEMPOTENCY_IN_PROGRESS', {}, { headers: { 'retry-after': '1' } });
      if (answer) throw new ProblemError('IDEMPOTENCY_KEY_REUSED');
      const done = await decide(send, known);
      const reply = withSerializedBody(done.reply);
      if (!done.isSaved) void send(SAVE_ANSWER, ANSWER.values(answerRowOf(key, reply)));
      return { ...done, reply };
    } catch (error) {
      if (!(error instanceof ProblemError) || !isFinal(error)) throw error;
      void saveRefusal(send, key, error);
      return error;
    }
  });
  if (outcome instanceof ProblemError) throw outcome;
  return outcome;
}

/** For an `executeCommand` that reads nothing, or only after the log was searched. */
export const readNothing = (): Promise<void> => Promise.resolve();

/** Reserves the key until the transaction ends, if it is free; finds the command's earlier refusal and the key's earlier answer. */
async function reserve(send: Send, { context: { commandId }, keyHash }: IdempotencyKey) {
  const [[claim], [known]] = await Promise.all([
    send<{ claimed: string }>(RESERVE, [commandId, keyHash]),
    // A separate statement: the snapshot of the one that waits for the locks is older than the commit that released them.
    send<{ refusal: RefusalEntity | null; answer: StoredReply | null }>(FIND, [
      commandId,
      keyHash,
      new Date().toISOString(),
    ]),
  ]);
  return { claimed: claim?.claimed === 'true', refusal: known?.refusal, answer: known?.answer };
}

/** Saves a refusal by command id: a redelivered command must not take effect after its caller received the refusal. */
function saveRefusal(send: Send, { context }: IdempotencyKey, { code, members, options }: ProblemError) {
  const expiresAt = new Date(context.deadline + CLOCK_SKEW_MS);
  const { vendorCode } = context.actor;
  const row: RefusalEntity = { commandId: context.commandId, vendorCode, code, members, options, expiresAt };
  return send(SAVE_REFUSAL, [JSON.stringify([row])]);
}

/** The row of a reply, by its key. */
export function answerRowOf({ context, keyHash, bodyHash }: IdempotencyKey, reply: Reply): CommandEntity {
  const { commandId, deadline, idempotencyOrigin, actor } = context;
  return {
    keyHash,
    bodyHash,
    commandId,
    vendorCode: actor.vendorCode,
    status: reply.status,
    headers: reply.headers,
    body: serializeBody(reply),
    expiresAt: new Date(idempotencyOrigin === 'client' ? Date.now() + CLIENT_KEY_MS : deadline + GENERATED_KEY_MS),
  };
}

interface StoredReply {
  command_id: string;
  body_hash: string;
  status: number;
  headers: Reply['headers'];
  body: string;
}

const replayed = ({ status, headers, body, command_id: first }: StoredReply, commandId: string): Reply<never> =>
  repeatedReply<never>({ status, headers, body: new SerializedJson(body) }, first, commandId);

import { ProblemError } from '@po/contracts';
import { type Send, type Statement, insertRows, overwriting, rowParameters } from '@po/database';
import { EncodedJson, type Reply, type RpcContext, encoded, hashOfJson } from '@po/messaging';
import { CommandEntity } from './command.entity.js';
import type { Access } from '../store/databases.js';
import { RefusalEntity } from './refusal.entity.js';

const CLIENT_KEY_MS = 24 * 60 * 60_000;
/** A key that the gateway minted is known to a client only from a 504, and is of use only shortly after. */
const MINTED_KEY_MS = 10 * 60_000;
/** A redelivered command is dropped by its deadline; clocks of two machines may differ by less than this. */
const CLOCK_SKEW_MS = 60_000;

const COMMAND_LOCK = 1;
const KEY_LOCK = 2;

// Waits for the same command, which then finds what the first delivery stored; never for another one with the same key.
const RESERVE: Statement = {
  name: 'reserve-command',
  text: `SELECT pg_advisory_xact_lock(hashtextextended($1, ${COMMAND_LOCK})),
                set_config('app.key_claimed',
                           pg_try_advisory_xact_lock(hashtextextended($2, ${KEY_LOCK}))::text, true) AS claimed`,
};
// By the clock that set the expiry: by that of a database that is ahead, what was done a moment ago would be done once more.
const FIND: Statement = {
  name: 'find-command',
  text: `SELECT (SELECT row_to_json(r) FROM command_refusals r WHERE r.command_id = $1 AND r.expires_at > $3) AS refusal,
                (SELECT row_to_json(c) FROM command_log c WHERE c.key_hash = $2 AND c.expires_at > $3) AS answer`,
};
const SAVE_REFUSAL: Statement = {
  name: 'save-refusal',
  text: `${insertRows(RefusalEntity)} ${overwriting(RefusalEntity, ['commandId'])}`,
};

const ANSWER = rowParameters(CommandEntity, 1);
const SAVE_ANSWER: Statement = {
  name: 'save-answer',
  text: `INSERT INTO command_log (${ANSWER.columns.join(', ')}) VALUES (${ANSWER.parameters.join(', ')})
    ${overwriting(CommandEntity, ['keyHash'])}`,
};

/** A command and the idempotency key that it claims. */
export interface IdempotencyKey {
  context: RpcContext;
  keyHash: string;
  bodyHash: string;
}

/** Message type and reference stand for the path, however its letters were written. `body` is what the key is bound to. */
export function idempotencyKeyOf(context: RpcContext, poRef: string, body: unknown): IdempotencyKey {
  const { sub, role, vendorCode } = context.actor;
  const key = context.idempotencyKey ?? context.commandId;
  const keyHash = hashOfJson([sub, role, vendorCode, context.method, context.type, poRef, key]);
  return { context, keyHash, bodyHash: hashOfJson(body) };
}

/** How a write ended before, to be answered again; or why it must be refused now; or neither. */
interface EarlierOutcome {
  outcome?: Reply<never> | ProblemError;
  refusal?: ProblemError;
}

/**
 * Executes a command in one transaction, and once: what it was answered before is answered again. Else `decide` answers, and stores the
 * answer with what it changes, or refuses. A refusal is committed, to be remembered, and then thrown. `read` needs no trip of its own.
 */
export async function executeCommand<Read, Body>(
  { database, scope }: Pick<Access, 'database' | 'scope'>,
  key: IdempotencyKey,
  read: (send: Send) => Promise<Read>,
  decide: (send: Send, read: Read) => Reply<Body> | ProblemError | Promise<Reply<Body> | ProblemError>,
): Promise<Reply<Body>> {
  const outcome = await database.transaction<Reply<Body> | ProblemError>(scope, async (send) => {
    const [earlier, known] = await Promise.all([reserve(send, key), read(send)]);
    if (earlier.outcome) return earlier.outcome;
    const decided = earlier.refusal ?? (await decide(send, known));
    if (decided instanceof ProblemError) void saveRefusal(send, key, decided);
    return decided;
  });
  if (outcome instanceof ProblemError) throw outcome;
  return outcome;
}

/** For `executeCommand`, where all is read after the look at the log, or nothing. */
export const readNothing = (): Promise<void> => Promise.resolve();

/** Claims the key until the transaction ends, and looks up what the command and the key are known for. */
async function reserve(
  send: Send,
  { context: { commandId }, keyHash, bodyHash }: IdempotencyKey,
): Promise<EarlierOutcome> {
  const [[claim], [known]] = await Promise.all([
    send<{ claimed: string }>(RESERVE, [commandId, keyHash]),
    // Not in one statement with the locks: its snapshot would be older than the commit that released them.
    send<{ refusal: RefusalEntity | null; answer: StoredAnswer | null }>(FIND, [
      commandId,
      keyHash,
      new Date().toISOString(),
    ]),
  ]);
  const { refusal = null, answer = null } = known ?? {};
  if (refusal) return { outcome: new ProblemError(refusal.code, refusal.members, refusal.options) };
  if (answer?.body_hash === bodyHash) return { outcome: replayed(answer, commandId) };
  if (claim?.claimed !== 'true') {
    return { refusal: new ProblemError('IDEMPOTENCY_IN_PROGRESS', {}, { headers: { 'retry-after': '1' } }) };
  }
  return answer ? { refusal: new ProblemError('IDEMPOTENCY_KEY_REUSED') } : {};
}

/** Remembers a refusal under its command: a redelivered one must not take effect after its caller was told no. */
function saveRefusal(send: Send, { context }: IdempotencyKey, { code, members, options }: ProblemError) {
  const expiresAt = new Date(context.deadline + CLOCK_SKEW_MS);
  const { vendorCode } = context.actor;
  const row: RefusalEntity = { commandId: context.commandId, vendorCode, code, members, options, expiresAt };
  return send(SAVE_REFUSAL, [JSON.stringify([row])]);
}

/** Remembers the answer of a write that stored nothing else. */
export function saveAnswer(send: Send, key: IdempotencyKey, reply: Reply) {
  return send(SAVE_ANSWER, ANSWER.values(answerRowOf(key, reply)));
}

/** The row that remembers an answer under its key. */
export function answerRowOf({ context, keyHash, bodyHash }: IdempotencyKey, reply: Reply): CommandEntity {
  const { commandId, deadline, idempotencyOrigin, actor } = context;
  return {
    keyHash,
    bodyHash,
    commandId,
    vendorCode: actor.vendorCode,
    status: reply.status,
    headers: reply.headers,
    body: encoded(reply),
    expiresAt: new Date(idempotencyOrigin === 'client' ? Date.now() + CLIENT_KEY_MS : deadline + MINTED_KEY_MS),
  };
}

interface StoredAnswer {
  command_id: string;
  body_hash: string;
  status: number;
  headers: Reply['headers'];
  body: string;
}

// The same command delivered again answers the same request: only another request is told that its answer is a repeated one.
function replayed({ status, headers, body, command_id: first }: StoredAnswer, commandId: string): Reply<never> {
  const repeated = first === commandId ? {} : { 'idempotency-replayed': 'true' };
  return { status, headers: { ...headers, ...repeated }, body: new EncodedJson(body) };
}

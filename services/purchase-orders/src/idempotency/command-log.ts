import { createHash } from 'node:crypto';
import { ProblemError } from '@po/contracts';
import { EncodedJson, type Reply, type RpcContext, encoded } from '@po/messaging';
import type { EntityManager } from 'typeorm';
import { canonicalJson } from './canonical-json.js';
import { CommandEntity } from './command.entity.js';
import { upsertStatement } from '../store/row-statements.js';
import { RefusalEntity } from './refusal.entity.js';

const CLIENT_KEY_MS = 24 * 60 * 60_000;
/** A key that the gateway minted is known to a client only from a 504, and is of use only shortly after. */
const MINTED_KEY_MS = 10 * 60_000;
/** A redelivered command is dropped by its deadline; clocks of two machines may differ by less than this. */
const CLOCK_SKEW_MS = 60_000;

const COMMAND_LOCK = 1;
const KEY_LOCK = 2;

const SAVE_COMMAND = upsertStatement(CommandEntity, 'keyHash');
const SAVE_REFUSAL = upsertStatement(RefusalEntity, 'commandId');

/** Stores what a write answers; to be called once, and may be sent together with the write's last statements. */
export type Remember<Body> = (reply: Reply<Body>) => Promise<unknown>;

interface Recalled {
  refusal: Pick<ProblemError, 'code' | 'members' | 'options'> | null;
  answer: { command_id: string; body_hash: string; status: number; headers: Reply['headers']; body: string } | null;
}

/**
 * Runs a write once per idempotency key and per command, inside the caller's transaction, and stores how it ended: an answer under
 * its key, a refusal under its command id. A refusal is returned, not thrown, because it has to be committed; `run` must refuse
 * before it changes anything, and else remember its answer.
 */
export async function runOnce<Body>(
  manager: EntityManager,
  { context, poRef, body }: { context: RpcContext; poRef: string; body: unknown },
  run: (remember: Remember<Body>) => Promise<void>,
): Promise<Reply<Body> | ProblemError> {
  const { sub, role, vendorCode } = context.actor;
  const key = context.idempotencyKey ?? context.commandId;
  // Message type and reference stand for the path, however its letters were written.
  const keyHash = sha256([sub, role, vendorCode, context.method, context.type, poRef, key]);
  const bodyHash = sha256(canonicalJson(body));
  const [claimed, { refusal: earlier, answer }] = await Promise.all([
    claim(manager, context.commandId, keyHash),
    recall(manager, context.commandId, keyHash),
  ]);
  if (earlier) return new ProblemError(earlier.code, earlier.members, earlier.options);
  if (answer && answer.body_hash === bodyHash) return replayed(answer, context.commandId);
  try {
    if (!claimed) throw new ProblemError('IDEMPOTENCY_IN_PROGRESS', {}, { headers: { 'retry-after': '1' } });
    if (answer) throw new ProblemError('IDEMPOTENCY_KEY_REUSED');
    let answered: Reply<Body> | undefined;
    await run((reply) => {
      const body = encoded(reply);
      answered = { ...reply, body: new EncodedJson(body) };
      return manager.query(
        SAVE_COMMAND.text,
        SAVE_COMMAND.values({
          ...{ keyHash, vendorCode, bodyHash, commandId: context.commandId, expiresAt: expiryOf(context) },
          ...{ status: reply.status, headers: reply.headers, body: String(body) },
        }),
      );
    });
    if (!answered) throw new Error('a write must remember its answer');
    return answered;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { code, members, options } = error;
    const expiresAt = new Date(context.deadline + CLOCK_SKEW_MS);
    const refusal = { commandId: context.commandId, vendorCode, code, members, options, expiresAt };
    await manager.query(SAVE_REFUSAL.text, SAVE_REFUSAL.values(refusal));
    return error;
  }
}

function expiryOf({ idempotencyOrigin, deadline }: RpcContext): Date {
  return new Date(idempotencyOrigin === 'client' ? Date.now() + CLIENT_KEY_MS : deadline + MINTED_KEY_MS);
}

/** Deletes what has expired. Answers how many rows that were. */
export async function purgeExpired(manager: EntityManager): Promise<number> {
  let purged = 0;
  for (const entity of [CommandEntity, RefusalEntity]) {
    const { affected } = await manager.createQueryBuilder().delete().from(entity).where('expires_at < now()').execute();
    purged += affected ?? 0;
  }
  return purged;
}

// Waits for the same command, which then finds what the first delivery stored; never for another one with the same key.
async function claim(manager: EntityManager, commandId: string, keyHash: string): Promise<boolean> {
  const [row] = await manager.query<{ claimed: boolean }[]>(
    `SELECT pg_advisory_xact_lock(hashtextextended($1, ${COMMAND_LOCK})),
            pg_try_advisory_xact_lock(hashtextextended($2, ${KEY_LOCK})) AS claimed`,
    [commandId, keyHash],
  );
  return row?.claimed === true;
}

// Sent right behind the locks, but not in one statement with them: its snapshot would be older than the commit that released them.
async function recall(manager: EntityManager, commandId: string, keyHash: string): Promise<Recalled> {
  const [row] = await manager.query<Recalled[]>(
    `SELECT (SELECT row_to_json(r) FROM command_refusals r WHERE r.command_id = $1 AND r.expires_at > now()) AS refusal,
            (SELECT row_to_json(c) FROM command_log c WHERE c.key_hash = $2 AND c.expires_at > now()) AS answer`,
    [commandId, keyHash],
  );
  return row ?? { refusal: null, answer: null };
}

// The same command delivered again answers the same request: only another request is told that its answer is a repeated one.
function replayed(answer: NonNullable<Recalled['answer']>, commandId: string): Reply<never> {
  const { status, headers, body } = answer;
  return {
    status,
    headers: answer.command_id === commandId ? headers : { ...headers, 'idempotency-replayed': 'true' },
    body: new EncodedJson(body),
  };
}

function sha256(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type Actor,
  type DeleteView,
  MAX_VIEWS,
  ProblemError,
  type ReplaceView,
  type View,
  type ViewRequest,
} from '@po/contracts';
import type { Send } from '@po/database';
import { type Reply, type RpcContext, created, etagOf, noContent, ok, stalenessOf, unavailable } from '@po/messaging';
import { FIND_DELETION, HOLD_DIRECTORY } from '../store/directory.js';
import { Databases } from '../store/databases.js';
import { BACK_WITHIN_MS, untilAnnounced } from '../store/until-announced.js';
import {
  COUNT,
  DELETE,
  FIND_ANSWER,
  INSERT,
  LIST,
  LOCK_OWNER,
  LOCK_VISIBLE,
  REPLACE,
  SAVE_ANSWER,
  SET_SIDE,
} from './statements.js';
import { type Ownership, accessTo, sideOf } from './view-access.js';
import { bodyHashOf, keyHashOf } from './request-hashes.js';

type Context = Pick<RpcContext, 'actor' | 'ifMatch' | 'commandId' | 'idempotencyKey' | 'path' | 'deadline'>;
/** What a request was answered. */
interface Answered {
  commandId: string;
  bodyHash: string;
  response: Reply<View>;
}
type Stored = Omit<View, 'mine' | 'updatedAt'> & Ownership & { updatedAt: Date };

/** Stored selections of the list of orders. */
@Injectable()
export class ViewsService {
  constructor(private readonly databases: Databases) {}

  async list(actor: Actor): Promise<Reply<View[]>> {
    const side = sideOf(actor);
    const rows = await this.databases.user.readAll(scopeOf(actor), (read) => {
      void read(SET_SIDE, [side, actor.role]);
      return read<Stored>(LIST, [side, actor.sub]);
    });
    return ok(rows.map((row) => viewOf(row, actor)));
  }

  /**
   * Throws IDEMPOTENCY_KEY_REUSED, TOO_MANY_VIEWS, or UNAVAILABLE where a deleted user is not known again in time. A repeated request is
   * answered as it was before.
   */
  create(request: ViewRequest, context: Context): Promise<Reply<View>> {
    const { actor, deadline } = context;
    return untilAnnounced('UNAVAILABLE', { forMs: BACK_WITHIN_MS, deadline }, () =>
      this.change(actor, (send, side) => store(send, side, request, context)),
    );
  }

  /** Throws VIEW_NOT_FOUND, ROLE_NOT_ALLOWED or VERSION_MISMATCH. A command that is delivered again is answered with what it stored. */
  async replace({ id, view }: ReplaceView, { actor, ifMatch, commandId }: Context): Promise<Reply<View>> {
    const stored = await this.change(actor, async (send, side) => {
      const [before] = await send<Stored & { commandId: string }>(LOCK_VISIBLE, [side, actor.sub, id, commandId]);
      if (before?.commandId === commandId) return before;
      const { version } = changeable(before, actor);
      const stale = stalenessOf(ifMatch, version);
      if (stale) throw stale;
      const values = [view.name, JSON.stringify(view.query), view.columns, view.shared, actor.name];
      const [after] = await send<Stored>(REPLACE, [side, actor.sub, id, version, commandId, ...values]);
      return after as Stored;
    });
    return ok(viewOf(stored, actor), { etag: etagOf(stored.version) });
  }

  /** Throws as `replace` does, VIEW_NOT_FOUND also where this command deleted it before it was delivered again. */
  async delete({ id }: DeleteView, { actor, ifMatch, commandId }: Context): Promise<Reply<never>> {
    await this.change(actor, async (send, side) => {
      const [before] = await send<Stored>(LOCK_VISIBLE, [side, actor.sub, id, commandId]);
      const { version } = changeable(before, actor);
      const stale = stalenessOf(ifMatch, version);
      if (stale) throw stale;
      await send(DELETE, [side, id, version]);
    });
    return noContent();
  }

  /** One transaction in the scope of the caller and their side. */
  private change<T>(actor: Actor, run: (send: Send, side: string) => Promise<T>): Promise<T> {
    const side = sideOf(actor);
    return this.databases.user.transaction(scopeOf(actor), (send) => {
      void send(SET_SIDE, [side, actor.role]);
      return run(send, side);
    });
  }
}

async function store(
  send: Send,
  side: string,
  request: ViewRequest,
  { actor, commandId, idempotencyKey, path }: Context,
): Promise<Reply<View>> {
  const { sub, name: ownerName } = actor;
  const key = idempotencyKey ?? commandId;
  const [keyHash, bodyHash] = [keyHashOf(actor, key), bodyHashOf(request)];
  // A deletion of the user waits for this, and what waits for a deletion finds it: nothing is stored for a deleted user.
  void send(HOLD_DIRECTORY);
  void send(LOCK_OWNER, [sub]);
  const [[deletion], [answered], [counted]] = await Promise.all([
    send(FIND_DELETION, [sub]),
    send<Answered>(FIND_ANSWER, [keyHash]),
    send<{ count: number }>(COUNT, [side, sub]),
  ]);
  // Or the user is back, and the directory has not heard of it yet.
  if (deletion) throw unavailable();
  if (answered) {
    if (answered.bodyHash !== bodyHash) throw new ProblemError('IDEMPOTENCY_KEY_REUSED');
    if (answered.commandId !== commandId) answered.response.headers['idempotency-replayed'] = 'true';
    return answered.response;
  }
  if (counted && counted.count >= MAX_VIEWS)
    throw new ProblemError('TOO_MANY_VIEWS', {}, { hidden: { limit: MAX_VIEWS } });
  const { name, query, columns, shared } = request;
  const values = [ownerName, name, JSON.stringify(query), columns, shared, commandId, bodyHash];
  const [stored] = await send<Stored>(INSERT, [side, sub, randomUUID(), ...values]);
  const view = viewOf(stored as Stored, actor);
  const answer = created(`${path}/${view.id}`, view, { etag: etagOf(view.version) });
  void send(SAVE_ANSWER, [keyHash, sub, commandId, bodyHash, JSON.stringify(answer)]);
  return answer;
}

/** The view, when the caller may change it. */
function changeable(view: Stored | undefined, actor: Actor): Stored {
  const access = view ? accessTo(view, actor) : 'none';
  if (!view || access === 'none') throw new ProblemError('VIEW_NOT_FOUND');
  if (access === 'see') throw new ProblemError('ROLE_NOT_ALLOWED');
  return view;
}

const viewOf = (stored: Stored, { sub }: Actor): View => {
  const { id, name, query, columns, shared, ownerId, ownerName, version, updatedAt } = stored;
  const mine = ownerId === sub;
  return { id, name, query, columns, shared, ownerId, ownerName, mine, version, updatedAt: updatedAt.toISOString() };
};

const scopeOf = ({ sub }: Actor) => ({ setting: 'app.user', value: sub });

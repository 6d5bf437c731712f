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
import { type Reply, created, etagOf, noContent, ok, stalenessOf } from '@po/messaging';
import { Databases } from '../store/databases.js';
import { type WriteContext, scopeOf, writeOnce } from '../store/write-once.js';
import { COUNT, DELETE, INSERT, LIST, LOCK_VISIBLE, REPLACE, SET_SIDE } from './statements.js';
import { type Ownership, accessTo, sideOf } from './view-access.js';

type Stored = Omit<View, 'mine' | 'updatedAt'> & Ownership & { updatedAt: Date };

/** Saved filters of the order list. Writes also throw the errors of `writeOnce`. */
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

  /** Throws TOO_MANY_VIEWS. */
  create(request: ViewRequest, context: WriteContext): Promise<Reply<View>> {
    const { actor, path } = context;
    const { name, query, columns, shared } = request;
    return this.change(context, request, async (send, side) => {
      const [counted] = await send<{ count: number }>(COUNT, [side, actor.sub]);
      if (counted && counted.count >= MAX_VIEWS)
        throw new ProblemError('TOO_MANY_VIEWS', {}, { hidden: { limit: MAX_VIEWS } });
      const values = [actor.name, name, JSON.stringify(query), columns, shared];
      const [stored] = await send<Stored>(INSERT, [side, actor.sub, randomUUID(), ...values]);
      const view = viewOf(stored as Stored, actor);
      return created(`${path}/${view.id}`, view, { etag: etagOf(view.version) });
    });
  }

  /** Throws VIEW_NOT_FOUND, ROLE_NOT_ALLOWED or VERSION_MISMATCH. */
  replace({ id, view }: ReplaceView, context: WriteContext): Promise<Reply<View>> {
    const { actor } = context;
    return this.change(context, view, async (send, side) => {
      const version = await versionToChange(send, side, id, context);
      const values = [view.name, JSON.stringify(view.query), view.columns, view.shared, actor.name];
      const [stored] = await send<Stored>(REPLACE, [side, actor.sub, id, version, ...values]);
      const after = viewOf(stored as Stored, actor);
      return ok(after, { etag: etagOf(after.version) });
    });
  }

  /** Throws the same errors as `replace`. */
  delete({ id }: DeleteView, context: WriteContext): Promise<Reply<never>> {
    return this.change(context, null, async (send, side) => {
      const version = await versionToChange(send, side, id, context);
      await send(DELETE, [side, id, version]);
      return noContent();
    });
  }

  /** Writes in the scope of the caller and their side. */
  private change<Body>(
    context: WriteContext,
    body: unknown,
    write: (send: Send, side: string) => Promise<Reply<Body>>,
  ): Promise<Reply<Body>> {
    const side = sideOf(context.actor);
    return writeOnce(this.databases, context, body, (send) => {
      void send(SET_SIDE, [side, context.actor.role]);
      return write(send, side);
    });
  }
}

/** Locks a view that the caller may change and returns its version. */
async function versionToChange(
  send: Send,
  side: string,
  id: string,
  { actor, ifMatch }: WriteContext,
): Promise<number> {
  const [view] = await send<Stored>(LOCK_VISIBLE, [side, actor.sub, id]);
  const access = view ? accessTo(view, actor) : 'none';
  if (!view || access === 'none') throw new ProblemError('VIEW_NOT_FOUND');
  if (access === 'see') throw new ProblemError('ROLE_NOT_ALLOWED');
  const stale = stalenessOf(ifMatch, view.version);
  if (stale) throw stale;
  return view.version;
}

const viewOf = (stored: Stored, { sub }: Actor): View => {
  const { id, name, query, columns, shared, ownerId, ownerName, version, updatedAt } = stored;
  const mine = ownerId === sub;
  return { id, name, query, columns, shared, ownerId, ownerName, mine, version, updatedAt: updatedAt.toISOString() };
};

import { databaseOf } from './database.js';
import { rowsOf } from '../support/rows.js';
import type { World } from './world.js';

/** Closed, unfinished mails that no replica is sending: a round takes seconds and leases its mails for 12 minutes. */
const DELAYED_MAILS = `NOT open AND done_at IS NULL
  AND due_at NOT BETWEEN now() + interval '11 minutes 55 seconds' AND now() + interval '12 minutes'`;

/**
 * Moves the times of mails that wait for their next attempt or for the lease of a dead replica into the past. Tests cannot wait for
 * either. No other times change.
 */
export async function advanceMailTime(world: World, minutes: number): Promise<void> {
  const by = `${minutes} * interval '1 minute'`;
  await rowsOf(
    databaseOf(world, 'mail'),
    `UPDATE mails SET due_at = due_at - ${by}, first_due_at = first_due_at - ${by} WHERE ${DELAYED_MAILS}`,
  );
}

/** Rejects while mails of mode `now` wait, and makes their next attempt due. */
export async function mailsAreDone(world: World): Promise<true> {
  await rowsOf(
    databaseOf(world, 'mail'),
    `UPDATE mails SET due_at = now() WHERE ${DELAYED_MAILS} AND mode = 'now' AND due_at > now()`,
  );
  const [row] = await rowsOf<{ mails: number }>(
    databaseOf(world, 'mail'),
    `SELECT count(*)::int AS mails FROM mails WHERE done_at IS NULL AND mode = 'now'`,
  );
  if (row?.mails !== 0) throw new Error(`${row?.mails} mails wait`);
  return true;
}

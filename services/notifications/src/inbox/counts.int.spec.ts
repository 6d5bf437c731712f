import { randomUUID } from 'node:crypto';
import { type Actor, ProblemError } from '@po/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { actors } from '@po/testing/actors';
import { type OpenInbox, openInbox, userSeen, sourceConflict } from '../fixtures/inbox.js';
import { LOCKS } from '../store/locks.js';

const USERS = 3;

interface Inbox {
  user_id: string;
  total: number;
  unread: number;
}

// Expected values, counted from the notifications themselves.
const COUNTED = `
  SELECT n.user_id, n.audience, count(*)::int AS total,
         count(*) FILTER (WHERE n.read_at IS NULL AND n.seq > COALESCE(
           (SELECT max(w.seq) FROM watermarks w WHERE w.user_id = n.user_id AND w.audience = n.audience), 0))::int AS unread
    FROM notifications n GROUP BY n.user_id, n.audience ORDER BY n.user_id, n.audience`;
const KEPT =
  'SELECT user_id, audience, total, unread FROM inboxes WHERE total <> 0 OR unread <> 0 ORDER BY user_id, audience';

const step = fc.oneof(
  fc.record({ kind: fc.constant('announce' as const) }),
  fc.record({ kind: fc.constantFrom('mark' as const, 'mark all' as const), user: fc.nat(USERS - 1) }),
  fc.record({ kind: fc.constant('move' as const), user: fc.nat(USERS - 1), vendor: fc.nat(1) }),
  fc.record({ kind: fc.constant('delete' as const), share: fc.constantFrom(1, 2, 5) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const usersOf = (run: string, vendorOf: (user: number) => number = () => 0) =>
  Array.from({ length: USERS }, (_, user): Actor => ({
    ...actors.acme,
    sub: `${run}-${user}`,
    vendorCode: `${run}-${vendorOf(user)}`,
  }));

/** Performs one step on either replica. */
async function perform(inbox: OpenInbox, run: string, users: Actor[], taken: Step): Promise<void> {
  switch (taken.kind) {
    case 'announce':
      await Promise.all([0, 1].map((vendor) => inbox.announce(sourceConflict({ vendorCode: `${run}-${vendor}` }))));
      return;
    case 'mark': {
      const user = users[taken.user] as Actor;
      const newest = (await inbox.list(user)).items.find(({ read }) => !read);
      // A concurrent step may delete the notification.
      await (newest && inbox.mark(user, newest.id))?.catch((error: unknown) => {
        if (!(error instanceof ProblemError)) throw error;
      });
      return;
    }
    case 'mark all':
      await inbox.mark(users[taken.user] as Actor, 'all');
      return;
    case 'move': {
      const moved: Actor = { ...(users[taken.user] as Actor), vendorCode: `${run}-${taken.vendor}` };
      users[taken.user] = moved;
      await inbox.see(userSeen(moved));
      return;
    }
    case 'delete':
      // One deletion at a time, like purges.
      await inbox.databases.internal.transaction(null, async (send) => {
        await send('SELECT pg_advisory_xact_lock($1)', [LOCKS.purge]);
        await send('DELETE FROM notifications WHERE seq % $1::int = 0 AND user_id LIKE $2', [taken.share, `${run}-%`]);
      });
      return;
    default:
      taken satisfies never;
  }
}

describe('the counts of inboxes', () => {
  let inbox: OpenInbox;
  let other: OpenInbox;
  beforeAll(async () => {
    inbox = await openInbox();
    other = await openInbox({ sharedWith: inbox });
  });
  afterAll(async () => {
    await other.close();
    await inbox.close();
  });

  it('match the notifications after concurrent events, marks, moves and deletions', async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), async (steps) => {
      const run = randomUUID();
      const users = usersOf(run);
      for (const user of users) await inbox.see(userSeen(user));
      await Promise.all([0, 1, 2].map(() => inbox.announce(sourceConflict({ vendorCode: `${run}-0` }))));
      await Promise.all(steps.map((taken, index) => perform(index % 2 ? other : inbox, run, users, taken)));
      expect(await inbox.inspect<Inbox>(KEPT)).toEqual(await inbox.inspect<Inbox>(COUNTED));
    });
    await fc.assert(property, { numRuns: 50 });
    expect((await inbox.inspect<Inbox>(KEPT)).length).toBeGreaterThan(50);
  });

  it('can be repaired while notifications are being written', async () => {
    const run = randomUUID();
    const users = usersOf(run, (user) => user % 2);
    for (const user of users) await inbox.see(userSeen(user));
    const write = () => perform(inbox, run, users, { kind: 'announce' });
    for (let round = 0; round < 4; round += 1) await write();
    await inbox.mark(users[0] as Actor, 'all');
    await write();
    await inbox.inspect('UPDATE inboxes SET total = 77, unread = 77, read_to = 0');
    let repaired = false;
    const repair = inbox
      .inspect('SELECT recount_inbox(user_id, audience) FROM inboxes')
      .finally(() => (repaired = true));
    do await write();
    while (!repaired);
    await repair;
    await write();
    expect(await inbox.inspect<Inbox>(KEPT)).toEqual(await inbox.inspect<Inbox>(COUNTED));
  });
});

import { randomUUID } from 'node:crypto';
import type { Actor } from '@po/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { actors } from '@po/testing/actors';
import { inboxForTests, userSeen, sourceConflict } from '../fixtures/inbox.js';

const USERS = 2;
const VENDORS = 2;

type Step =
  | { kind: 'announce'; vendor: number; event: number }
  | { kind: 'mark'; user: number; nth: number }
  | { kind: 'mark all'; user: number; command: number }
  | { kind: 'move'; user: number; vendor: number };

const upTo = (max: number) => fc.integer({ min: 0, max: max - 1 });
// Few distinct events and commands on purpose, so that most steps are redeliveries.
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('announce' as const), vendor: upTo(VENDORS), event: upTo(6) }),
  fc.record({ kind: fc.constant('mark' as const), user: upTo(USERS), nth: upTo(4) }),
  fc.record({ kind: fc.constant('mark all' as const), user: upTo(USERS), command: upTo(3) }),
  fc.record({ kind: fc.constant('move' as const), user: upTo(USERS), vendor: upTo(VENDORS) }),
);

interface Entry {
  event: string;
  vendor: number;
  read: boolean;
}

/** Reference model: a list per user, newest first, and the handled commands and events. */
class PlainInboxes {
  private readonly inboxes: Entry[][] = Array.from({ length: USERS }, () => []);
  private readonly vendors = Array.from({ length: USERS }, (_, user) => user % VENDORS);
  private readonly handled = new Set<string>();

  private once(name: string): boolean {
    return !this.handled.has(name) && this.handled.add(name).size > 0;
  }

  apply(taken: Step): void {
    switch (taken.kind) {
      case 'announce': {
        const { vendor } = taken;
        const event = `${vendor}/${taken.event}`;
        if (!this.once(event)) return;
        this.inboxes.forEach((inbox, user) => {
          if (this.vendors[user] === vendor) inbox.unshift({ event, vendor, read: false });
        });
        return;
      }
      case 'mark': {
        const entry = this.visible(taken.user)[taken.nth];
        if (entry) entry.read = true;
        return;
      }
      case 'mark all':
        if (this.once(`${taken.user} of ${this.vendorOf(taken.user)} all ${taken.command}`)) {
          for (const entry of this.visible(taken.user)) entry.read = true;
        }
        return;
      case 'move':
        this.vendors[taken.user] = taken.vendor;
        return;
      default:
        taken satisfies never;
    }
  }

  vendorOf(user: number): number {
    return this.vendors[user] ?? 0;
  }

  visible(user: number): Entry[] {
    return (this.inboxes[user] ?? []).filter(({ vendor }) => vendor === this.vendors[user]);
  }
}

describe('inboxes after any interleaving of events, marks, moves and redeliveries', () => {
  const inbox = inboxForTests();

  it('have the content of a plain list', async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const run = randomUUID();
      const plain = new PlainInboxes();
      const actorOf = (user: number): Actor => ({
        ...actors.acme,
        sub: `${run}-${user}`,
        vendorCode: `${run}-${plain.vendorOf(user)}`,
      });
      for (let user = 0; user < USERS; user += 1) await inbox.see(userSeen(actorOf(user)));
      for (const taken of steps) {
        plain.apply(taken);
        await perform(taken, run, actorOf);
      }
      for (let user = 0; user < USERS; user += 1) {
        const expected = plain.visible(user).map(({ event, read }) => ({ poRef: event, read }));
        const { items, total, unread } = await inbox.list(actorOf(user));
        expect(items.map(({ poRef, read }) => ({ poRef, read }))).toEqual(expected);
        expect(total).toBe(expected.length);
        expect(unread).toBe(expected.filter(({ read }) => !read).length);
        expect(await inbox.unreadCount(actorOf(user))).toBe(unread);
        const unreadItems = (await inbox.list(actorOf(user), { unread: true })).items;
        expect(unreadItems).toEqual(items.filter(({ read }) => !read));
      }
    });
    await fc.assert(property, { numRuns: 60 });
  });

  async function perform(taken: Step, run: string, actorOf: (user: number) => Actor): Promise<void> {
    switch (taken.kind) {
      case 'announce': {
        const poRef = `${taken.vendor}/${taken.event}`;
        await inbox.announce(sourceConflict({ id: `${run} ${poRef}`, poRef, vendorCode: `${run}-${taken.vendor}` }));
        return;
      }
      case 'mark': {
        const id = (await inbox.list(actorOf(taken.user))).items[taken.nth]?.id;
        if (id !== undefined) await inbox.mark(actorOf(taken.user), id);
        return;
      }
      case 'mark all':
        await inbox.mark(actorOf(taken.user), 'all', { idempotencyKey: `${taken.command}` });
        return;
      case 'move':
        await inbox.see(userSeen(actorOf(taken.user)));
        return;
      default:
        taken satisfies never;
    }
  }
});

import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { UnsubscribeQuery } from '@po/contracts';
import { actors } from '@po/testing/actors';
import { type Mailing, openMailing, userSeen, queued } from '../fixtures/mailing.js';
import type { QueuedNotification } from './queued-notification.js';

let mailing: Mailing;
afterEach(() => mailing.close());

const count = async (table: 'mails' | 'entries', where = 'true') => {
  const [row] = await mailing.inspect<{ count: number }>(`SELECT count(*)::int FROM ${table} WHERE ${where}`);
  return row?.count;
};

describe('the mail queue', () => {
  it('ignores a redelivered notification, even after its mail was sent', async () => {
    mailing = await openMailing();
    const notification = queued();
    await mailing.add(notification, notification);
    await mailing.add(notification);
    await mailing.send();
    await mailing.add(notification);
    await mailing.send();
    expect(mailing.server.mails).toHaveLength(1);
    expect(await count('mails')).toBe(1);
  });

  it('ignores notifications if no mail server is configured', async () => {
    mailing = await openMailing({ groupSeconds: null });
    await mailing.add(queued());
    expect(await count('entries')).toBe(0);
  });

  it.each([
    ['the user wants no mail', { delivery: { mail: 'off', timeZone: 'UTC', digestAt: '08:00' } }],
    ['it came from an older release, without preferences', { delivery: undefined }],
    ['the user has no address', { email: null }],
    ['the address would inject a header', { email: 'li@acme.example\r\nBcc: all@acme.example' }],
    ['the address contains two addresses', { email: 'li@acme.example, all@acme.example' }],
    ['its kind is of a newer version', { kind: 'PARTY' }],
  ] as const)('ignores a notification if %s', async (_why, fields) => {
    mailing = await openMailing();
    await mailing.add(queued(fields));
    expect(await count('entries')).toBe(0);
  });
});

describe('mails of a user', () => {
  const imported = (n: number): Partial<QueuedNotification> => ({
    action: 'IMPORT',
    poRef: `PO-${n}`,
    poNumber: `PO-${n}`,
  });

  it.each([
    ['a thousand imports', 1_000, imported, '1,000 orders: 1,000 updates', 50, 'and 950 other orders'],
    ['200 transitions of one order', 200, () => ({}), 'PO-1: 200 updates', 0, '190 earlier entries are in the portal'],
  ] as const)(
    'combine %s into one mail for each user of the vendor',
    async (_what, changes, fieldsOf, title, rows, rest) => {
      mailing = await openMailing();
      const users = ['u-1', 'u-2'];
      const notified = (userId: string) =>
        Array.from({ length: changes }, (_, n) => queued({ userId, email: `${userId}@bolt.example`, ...fieldsOf(n) }));
      await mailing.add(...users.flatMap(notified));
      await mailing.send();
      const mails = await mailing.mails();
      expect(mails.map(({ to }) => String(to?.[0]?.address)).toSorted()).toEqual(
        users.map((user) => `${user}@bolt.example`),
      );
      for (const { subject, html, text } of mails) {
        expect(subject).toBe(title);
        expect(html?.match(/<td><a /g) ?? []).toHaveLength(rows);
        expect(text).toContain(rest);
      }
    },
  );

  it('are sent separately for notifications that arrive after the first was sent', async () => {
    mailing = await openMailing();
    await mailing.add(...Array.from({ length: 200 }, () => queued()));
    await mailing.send();
    await mailing.add(queued());
    await mailing.send();
    const mails = await mailing.mails();
    expect(mails.map(({ subject }) => subject)).toEqual([
      'PO-1: 200 updates',
      'PO-1: Approve → Confirmed by Dana Reyes',
    ]);
    expect(mails[0]?.references).toBe(mails[1]?.references);
    expect(mails[0]?.messageId).not.toBe(mails[1]?.messageId);
  });

  it('wait for the time of the digest or for the grouping period, depending on their mode', async () => {
    mailing = await openMailing();
    const digest = { mail: 'digest', timeZone: 'Asia/Shanghai', digestAt: '08:00' } as const;
    await mailing.add(queued(), queued({ delivery: digest }), queued({ delivery: digest }));
    const rows = await mailing.inspect<{ mode: string; seconds: number; time: string }>(
      `SELECT mode, round(extract(epoch FROM due_at - now()))::int AS seconds,
              to_char(due_at AT TIME ZONE 'Asia/Shanghai', 'HH24:MI:SS') AS time FROM mails ORDER BY mode`,
    );
    expect(rows).toMatchObject([{ mode: 'digest', time: '08:00:30' }, { mode: 'now' }]);
    expect(rows[1]?.seconds).toBeGreaterThan(110);
    expect(rows[1]?.seconds).toBeLessThanOrEqual(120);
    await mailing.send();
    expect((await mailing.mails()).map(({ subject }) => String(subject)).toSorted()).toEqual([
      'Daily summary: PO-1: 2 updates',
      'PO-1: Approve → Confirmed by Dana Reyes',
    ]);
  });

  it('move the digest to an earlier time that the user has chosen since', async () => {
    mailing = await openMailing();
    const digestAt = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
    const at = (hours: number) => queued({ delivery: { mail: 'digest', timeZone: 'UTC', digestAt: digestAt(hours) } });
    const due = async () => {
      const [row] = await mailing.inspect<{ hours: number }>(
        // Rounded: digestAt has whole minutes, and the digest is due 30 s after it.
        'SELECT round(extract(epoch FROM due_at - now()) / 3600)::int AS hours FROM mails',
      );
      return row?.hours;
    };
    await mailing.add(at(20));
    await mailing.add(at(3));
    expect(await due()).toBe(3);
    // Never moves the digest to a later time.
    await mailing.add(at(10));
    expect([await due(), await count('mails')]).toEqual([3, 1]);
  });
});

describe('a queued mail', () => {
  const marksOf =
    (read: boolean, visible = (_id: string) => true) =>
    (ids: readonly string[]) =>
      Promise.resolve(new Map(ids.filter(visible).map((id) => [id, read])));

  it('is not sent if the user has read everything, and does not use up the rate', async () => {
    mailing = await openMailing({ readMarks: marksOf(true), ratePerSecond: 0.001 });
    const sender = mailing.sender();
    for (const poRef of ['PO-1', 'PO-2']) {
      await mailing.add(queued(), queued({ poRef }));
      await mailing.inspect(`UPDATE mails SET due_at = now() - interval '1 millisecond'`);
      await sender.round();
    }
    expect(await mailing.outcomes()).toEqual(['read', 'read']);
    expect(mailing.server.mails).toEqual([]);
  });

  it('is not sent if the user reads everything while the rate delays it', async () => {
    let now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    let requests = 0;
    mailing = await openMailing({
      ratePerSecond: 50,
      marksMs: 0,
      // The second mail waits for its slot until this request moves the clock.
      readMarks: (ids) => {
        now += 1_000;
        return marksOf((requests += 1) > 1)(ids);
      },
    });
    await mailing.add(queued(), queued({ userId: 'u-2', email: 'two@bolt.example' }));
    await mailing.send();
    clock.mockRestore();
    expect(new Set(await mailing.outcomes())).toEqual(new Set(['read', 'sent']));
  });

  it('shares a request for read marks with those of other users', async () => {
    const requested: number[] = [];
    mailing = await openMailing({
      marksMs: 600_000,
      readMarks: (ids) => marksOf(requested.push(ids.length) > 1)(ids),
    });
    await mailing.add(queued(), queued({ userId: 'u-2', email: 'two@bolt.example' }));
    await mailing.send();
    expect(requested).toEqual([2]);
  });

  it('is sent about an old notification if the user may no longer see 1,000 newer ones', async () => {
    const old = queued({ title: 'the old one', createdAt: '2026-03-02T08:00:00.000Z' });
    mailing = await openMailing({ readMarks: marksOf(false, (id) => id === old.id) });
    await mailing.add(old, ...Array.from({ length: 1_000 }, () => queued()));
    await mailing.send();
    expect((await mailing.mails()).map(({ subject }) => subject)).toEqual(['the old one']);
  });

  it('omits notifications that the user may no longer see', async () => {
    const hidden = queued({ poRef: 'PO-2', poNumber: 'PO-2' });
    mailing = await openMailing({ readMarks: marksOf(false, (id) => id !== hidden.id) });
    await mailing.add(queued(), hidden);
    await mailing.send();
    const [mail] = await mailing.mails();
    expect(mail?.text).toContain('PO-1');
    expect(mailing.server.mails[0]?.raw).not.toContain('PO-2');
  });

  it('is dropped if the user may no longer see any of it or wants no mail about it', async () => {
    mailing = await openMailing({ readMarks: marksOf(false, () => false) });
    await mailing.add(queued(), queued());
    await mailing.send();
    expect(await mailing.outcomes()).toEqual(['dropped']);
    expect(mailing.server.mails).toEqual([]);
    expect(await count('entries', 'content IS NOT NULL')).toBe(0);
  });

  it.each([
    ['was deleted', { ...actors.bolt }, true],
    ['moved to another vendor', { ...actors.bolt, vendorCode: 'ACME' }, false],
    ['got another role', { ...actors.bolt, role: 'VIEWER', vendorCode: null }, false],
  ] as const)(
    'is dropped if the user %s in the meantime, even if its record arrives late or again',
    async (_why, now, isDeleted) => {
      mailing = await openMailing();
      const { users } = mailing;
      await users.seen(userSeen(actors.bolt));
      const before = queued();
      const late = queued();
      await mailing.add(before);
      const changed = userSeen(now, { seenAt: new Date(Date.now() + 1_000).toISOString() });
      if (isDeleted) await users.deleted({ sub: changed.sub, deletedAt: changed.seenAt });
      else await users.seen(changed);
      await mailing.add(before, late);
      await mailing.send();
      expect(mailing.server.mails).toEqual([]);
      expect(await count('entries', 'content IS NOT NULL')).toBe(0);
      await mailing.add(queued({ createdAt: new Date(Date.now() + 2_000).toISOString() }));
      await mailing.send();
      expect(mailing.server.mails).toHaveLength(1);
    },
  );

  it('is sent if the user was seen again unchanged, by an older record or with an older token', async () => {
    mailing = await openMailing();
    const { users } = mailing;
    const elsewhere = { ...actors.bolt, vendorCode: 'ACME' };
    const older = userSeen(elsewhere);
    const issuedAt = (second: number) => ({ issuedAt: `2026-03-02T08:00:0${second}.000Z` });
    const later = (seconds: number) => ({ seenAt: new Date(Date.now() + seconds * 1_000).toISOString() });
    await users.seen(userSeen(actors.bolt, issuedAt(2)));
    await mailing.add(queued());
    await users.seen(userSeen(actors.bolt, { ...later(1), ...issuedAt(2) }));
    await users.seen(older);
    await users.seen(userSeen(elsewhere, { ...later(2), ...issuedAt(1) }));
    await mailing.send();
    expect(mailing.server.mails).toHaveLength(1);
    await mailing.add(queued());
    await users.seen(userSeen(elsewhere, { ...later(3), ...issuedAt(3) }));
    await mailing.send();
    expect(mailing.server.mails).toHaveLength(1);
    await users.deleted({ sub: actors.bolt.sub, deletedAt: later(4).seenAt });
    await users.seen(userSeen(elsewhere, { ...later(5), ...issuedAt(1) }));
    expect(await mailing.inspect('SELECT role, vendor_code FROM recipients')).toEqual([
      { role: 'VENDOR', vendor_code: 'ACME' },
    ]);
  });
});

describe('the unsubscribe link of a mail', () => {
  it('turns off all kinds of a long mail for its user, and accepts only tokens signed here', async () => {
    mailing = await openMailing();
    const reminder = { rule: 'REPLY_DUE', dueOn: '2026-03-02', step: 1 };
    await mailing.add(
      queued({ kind: 'REMINDER', reminder, createdAt: '2026-03-02T08:00:00.000Z' }),
      ...Array.from({ length: 1_000 }, () => queued()),
    );
    await mailing.send();
    const [mail] = await mailing.mails();
    const header = (key: string) => mail?.headers.find((each) => each.key === key)?.value;
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(header('auto-submitted')).toBe('auto-generated');
    const url = new URL(/^<(.*)>$/.exec(header('list-unsubscribe') ?? '')?.[1] ?? '');
    expect(url.origin + url.pathname).toBe('https://orders.example.com/unsubscribe');
    const { token } = UnsubscribeQuery.parse({ token: url.searchParams.get('token') });
    expect(await mailing.tokens.read(token)).toEqual({ userId: actors.bolt.sub, kinds: ['REMINDER', 'TRANSITION'] });
    const [payload = '', signature = ''] = token.split('.');
    const other = Buffer.from(JSON.stringify({ userId: randomUUID(), kinds: ['MESSAGE'] })).toString('base64url');
    for (const bad of ['', token.slice(1), `${other}.${signature}`, `${payload}.`, `${payload}.${'A'.repeat(43)}`]) {
      expect(await mailing.tokens.read(bad)).toBeNull();
    }
  });
});

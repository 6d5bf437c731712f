import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { makeAuthority } from '@po/testing/certificates';
import { eventually } from '@po/testing/eventually';
import type { Fault } from '@po/testing/mail-server';
import { createLogger, metricsRegistry } from '@po/platform';
import type { Gauge } from 'prom-client';
import { signatureOf } from '../fixtures/dkim.js';
import { type Mailing, openMailing, queued } from '../fixtures/mailing.js';
import { type DueMail, delayMail, claimDueMails } from './due-mails.js';
import { observeQueue } from './metrics.js';

let mailing: Mailing;
afterEach(() => mailing.close());

/** Makes sequential attempts, each as if it were due. */
async function attempts(count: number): Promise<void> {
  for (let attempt = 0; attempt < count; attempt += 1) await mailing.send();
}

describe('a mail server that fails', () => {
  const PHASES = ['connect', 'mail', 'rcpt', 'data'];
  const FAULTS: [string, Fault][] = [
    ['breaks the connection', 'break'],
    ['does not answer', 'hang'],
    ['is busy', { code: 421, text: '4.3.2 try later' }],
    ['greylists', { code: 451, text: '4.7.1 greylisted' }],
  ];
  it.each(PHASES.flatMap((phase) => FAULTS.map(([how, fault]) => [phase, how, fault] as const)))(
    'in phase %s because it %s delays the mail, which is later sent once',
    async (phase, _how, fault) => {
      let failing = true;
      // Short only if the server hangs: a busy machine may also be silent for that long.
      const smtp = fault === 'hang' ? { silentMs: 1_000, answerMs: 1_000 } : {};
      mailing = await openMailing({
        server: { faultAt: (at) => (failing && at === phase ? fault : undefined) },
        smtp,
      });
      await mailing.add(queued());
      await mailing.send();
      expect(await mailing.outcomes()).toEqual([null]);
      expect(await mailing.listed()).toEqual([]);
      failing = false;
      Object.assign(smtp, { silentMs: 60_000, answerMs: 60_000 });
      await mailing.send();
      expect(await mailing.outcomes()).toEqual(['sent']);
      expect(await mailing.mails()).toHaveLength(1);
    },
  );

  it('by answering slowly at every step delays the mail when the attempt exceeds its time limit', async () => {
    let slow = true;
    const smtp = { attemptMs: 1_000 };
    mailing = await openMailing({ server: { faultAt: (at) => (slow && at === 'data' ? 'hang' : undefined) }, smtp });
    await mailing.add(queued());
    await mailing.send();
    expect(await mailing.outcomes()).toEqual([null]);
    slow = false;
    smtp.attemptMs = 60_000;
    await mailing.send();
    expect(await mailing.outcomes()).toEqual(['sent']);
  });

  it('does not delay a mail that another replica has claimed since', async () => {
    mailing = await openMailing();
    await mailing.add(queued());
    const inHand = async () => {
      await mailing.inspect(`UPDATE mails SET due_at = now() - interval '1 millisecond'`);
      return claimDueMails(mailing.database, 1);
    };
    const [late] = await inHand();
    const [current] = await inHand();
    const dueAt = () => mailing.inspect('SELECT due_at FROM mails');
    const lease = await dueAt();
    expect(await delayMail(mailing.database, late as DueMail)).toBe(false);
    expect(await dueAt()).toEqual(lease);
    await delayMail(mailing.database, current as DueMail);
    expect(await dueAt()).not.toEqual(lease);
  });

  it('is retried after 1, 5, 15, 60, 60 … minutes until the mail expires after 48 hours', async () => {
    mailing = await openMailing({ server: { faultAt: () => 'break' } });
    await mailing.add(queued());
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await mailing.send();
      const [row] = await mailing.inspect<{ minutes: number }>(
        'SELECT round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM mails',
      );
      pauses.push(row?.minutes ?? 0);
    }
    expect(pauses).toEqual([1, 5, 15, 60, 60, 60]);
    // The time since the mail was due does not count: this service may have been down.
    await mailing.inspect(`UPDATE mails SET first_due_at = now() - interval '49 hours'`);
    await mailing.send();
    expect(await mailing.outcomes()).toEqual([null]);
    await mailing.inspect(`UPDATE mails SET first_failed_at = now() - interval '48 hours'`);
    await mailing.send();
    expect(await mailing.outcomes()).toEqual(['expired']);
    expect(await mailing.inspect('SELECT 1 FROM entries WHERE content IS NOT NULL')).toEqual([]);
  });

  it('gets the mail again with the same Message-ID if it crashed after accepting it', async () => {
    let dying = true;
    mailing = await openMailing({
      server: {
        received: () => {
          if (dying) throw Object.assign(new Error('4.0.0 gone'), { responseCode: 421 });
        },
      },
    });
    await mailing.add(queued(), queued());
    await mailing.send();
    dying = false;
    await mailing.send();
    const [first, second] = await mailing.mails();
    expect(first?.messageId).toMatch(/^<[0-9a-f]{32}@example\.com>$/);
    expect(second?.messageId).toBe(first?.messageId);
  });
});

describe('the reported age of the mail queue', () => {
  /** The age that a replica measures at its start. */
  const measured = async (): Promise<number> => {
    const age = metricsRegistry.getSingleMetric('mail_queue_oldest_age_seconds') as Gauge;
    age.set(-1);
    const stopped = new AbortController();
    const observing = observeQueue(mailing.database, createLogger('test', 'silent'), stopped.signal);
    const seconds = await eventually('the age of the queue', async () => {
      const [value] = (await age.get()).values;
      expect(value?.value).toBeGreaterThanOrEqual(0);
      return value?.value;
    });
    stopped.abort();
    await observing;
    return seconds;
  };

  it('covers overdue mails, but not mails that wait for a retry or are being sent', async () => {
    mailing = await openMailing({ server: { faultAt: () => ({ code: 450, text: '4.2.2 mailbox full' }) } });
    await mailing.add(queued());
    await mailing.inspect(`UPDATE mails SET first_due_at = now() - interval '1 day'`);
    await attempts(1);
    expect(await measured()).toBe(0);
    await mailing.inspect(`UPDATE mails SET due_at = now() - interval '20 minutes'`);
    expect(await measured()).toBeCloseTo(1_200, -2);
    expect(await claimDueMails(mailing.database, 1)).toHaveLength(1);
    expect(await measured()).toBe(0);
  });
});

describe('mail over TLS with a password', () => {
  const login = { user: 'orders', password: 'not easy: äß' };

  it.each(['connect', 'starttls'] as const)('is sent with TLS from %s', async (from) => {
    const folder = await mkdtemp(join(tmpdir(), 'po-mail-'));
    try {
      const authority = await makeAuthority('mail');
      const [SMTP_TLS_CA_FILE, SMTP_PASSWORD_FILE] = [join(folder, 'ca.crt'), join(folder, 'password')];
      await writeFile(SMTP_TLS_CA_FILE, authority.ca);
      await writeFile(SMTP_PASSWORD_FILE, `${login.password} of yesterday\n`);
      mailing = await openMailing({
        server: { tls: { ...(await authority.certify('127.0.0.1')), from }, login },
        smtp: { SMTP_TLS: 'required', SMTP_TLS_CA_FILE, SMTP_PASSWORD_FILE },
      });
      await mailing.add(queued());
      await mailing.send();
      expect(mailing.server.mails).toEqual([]);
      await writeFile(SMTP_PASSWORD_FILE, `${login.password}\n`);
      await mailing.send();
      expect(mailing.server.mails).toMatchObject([{ secure: true, user: login.user }]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is not sent with an untrusted certificate or without required TLS', async () => {
    const authority = await makeAuthority('stranger');
    mailing = await openMailing({
      server: { tls: { ...(await authority.certify('127.0.0.1')), from: 'starttls' } },
      smtp: { SMTP_TLS: 'required' },
    });
    await mailing.add(queued());
    await attempts(2);
    expect(mailing.server.mails).toEqual([]);
    await mailing.close();
    mailing = await openMailing({ smtp: { SMTP_TLS: 'required' } });
    await mailing.add(queued());
    await attempts(2);
    expect(mailing.server.mails).toEqual([]);
    expect(await mailing.outcomes()).toEqual([null]);
  });
});

describe('a DKIM signature', () => {
  it("verifies with the domain's public key and covers the headers for one-click unsubscribing", async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2_048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const folder = await mkdtemp(join(tmpdir(), 'po-mail-'));
    try {
      const DKIM_KEY_FILE = join(folder, 'dkim.key');
      await writeFile(DKIM_KEY_FILE, privateKey);
      mailing = await openMailing({ smtp: { DKIM_SELECTOR: 'orders1', DKIM_KEY_FILE } });
      await mailing.add(queued({ comment: '面料晚到两周' }));
      await mailing.send();
    } finally {
      await rm(folder, { recursive: true });
    }
    const [{ raw } = { raw: '' }] = mailing.server.mails;
    const { tags, verifies } = signatureOf(raw, publicKey);
    expect(tags).toMatchObject({ v: '1', a: 'rsa-sha256', c: 'relaxed/relaxed', d: 'example.com', s: 'orders1' });
    expect(tags['h']).toMatch(/list-unsubscribe:.*list-unsubscribe-post/i);
    expect(verifies).toBe(true);
    for (const changed of [raw.replace(/^Subject: ./m, 'Subject: x'), raw.replace(/\r\n$/, 'x\r\n')])
      expect(signatureOf(changed, publicKey).verifies).toBe(false);
  });
});

describe('several replicas', () => {
  it('send each mail once', async () => {
    mailing = await openMailing();
    const users = Array.from({ length: 30 }, (_, index) => `u-${index}`);
    await mailing.add(...users.map((userId) => queued({ userId, email: `${userId}@bolt.example` })));
    expect(await mailing.send({ replicas: 4 })).toBe(30);
    expect(mailing.server.mails.flatMap(({ to }) => to).toSorted()).toEqual(
      users.map((user) => `${user}@bolt.example`).toSorted(),
    );
  });

  it('can take the unsent mails of a replica that stops, at their place in the queue', async () => {
    mailing = await openMailing({ ratePerSecond: 0.001 });
    await mailing.add(...['u-1', 'u-2', 'u-3'].map((userId) => queued({ userId, email: `${userId}@bolt.example` })));
    await mailing.inspect(
      `UPDATE mails SET due_at = now() - interval '3 hours', first_due_at = now() - interval '3 hours'`,
    );
    const stopping = mailing.sender();
    stopping.start();
    await eventually('the first mail is sent', () => mailing.server.mails.length === 1);
    await stopping.stop();
    expect(await mailing.inspect('SELECT attempts FROM mails WHERE done_at IS NULL AND due_at = first_due_at')).toEqual(
      [{ attempts: 0 }, { attempts: 0 }],
    );
  });

  it('can take the mails that a stopping replica has not started, even while its mail server is slow', async () => {
    const { promise: looked, resolve } = Promise.withResolvers<undefined>();
    mailing = await openMailing({ server: { received: () => looked } });
    const users = Array.from({ length: 6 }, (_, at) => `u-${at}`);
    await mailing.add(...users.map((userId) => queued({ userId, email: `${userId}@bolt.example` })));
    await mailing.inspect(`UPDATE mails SET due_at = now() - interval '1 second'`);
    const stopping = mailing.sender();
    stopping.start();
    await eventually('all concurrent mails are in progress', () => mailing.server.mails.length === 4);
    const stopped = stopping.stop();
    await eventually('the other mails are released', async () => {
      const given = await mailing.inspect('SELECT 1 FROM mails WHERE attempts = 0 AND due_at <= now()');
      return given.length === 2;
    });
    resolve(undefined);
    await stopped;
  });
});

it('a mail with thousands of notifications counts them all, and each statement clears at most 1,000', async () => {
  mailing = await openMailing();
  await mailing.add(queued());
  await mailing.inspect(`
    INSERT INTO entries SELECT 'n-' || n, mail_id, user_id, created_at, replace(content::text, 'PO-1"', 'PO-' || n || '"')::json
      FROM entries, generate_series(2, 2500) n;
    CREATE FUNCTION count_changed() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF (SELECT count(*) FROM changed) > 1000 THEN RAISE 'too many'; END IF; RETURN NULL; END $$;
    CREATE TRIGGER count_changed AFTER UPDATE ON entries REFERENCING NEW TABLE AS changed
       FOR EACH STATEMENT EXECUTE FUNCTION count_changed()`);
  await mailing.send();
  expect((await mailing.mails()).map(({ subject }) => subject)).toEqual(['2,500 orders: 2,500 updates']);
  expect(await mailing.outcomes()).toEqual(['sent']);
  expect(await mailing.inspect('SELECT 1 FROM entries WHERE content IS NOT NULL')).toEqual([]);
});

it('a mail shows events in order of occurrence, regardless of their arrival', async () => {
  mailing = await openMailing();
  const at = (minute: number) => ({
    occurredAt: `2026-11-05T10:${minute}:00.000Z`,
    createdAt: '2026-11-05T11:00:00.000Z',
  });
  await mailing.add(queued({ ...at(30), comment: 'third' }));
  await mailing.add(queued({ ...at(10), comment: 'first' }), queued({ ...at(20), comment: 'second' }));
  await mailing.send();
  const [mail] = await mailing.mails();
  expect(mail?.text?.match(/first|second|third/g)).toEqual(['first', 'second', 'third']);
});

import { afterEach, describe, expect, it } from '@jest/globals';
import type { Actor } from '@po/contracts';
import { actors } from '@po/testing/actors';
import type { MailServerOptions } from '@po/testing/mail-server';
import { type Mailing, openMailing, queued } from '../fixtures/mailing.js';

let mailing: Mailing;
afterEach(() => mailing.close());

describe('an address that the mail server refuses', () => {
  const refusing = (text = '5.1.1 no such user'): MailServerOptions => ({
    faultAt: (phase, address) => (phase === 'rcpt' && address === actors.bolt.email ? { code: 550, text } : undefined),
  });

  /** Sends a mail to a server with this reply in the given phase. */
  const answered = async (at: string, code: number, text: string) => {
    mailing = await openMailing({ server: { faultAt: (phase) => (phase === at ? { code, text } : undefined) } });
    await mailing.add(queued());
    await mailing.send();
  };

  it('gets no mail for 7 days, and permanently after the third refusal, while others get theirs', async () => {
    mailing = await openMailing({ server: refusing() });
    for (const failures of [1, 2, 3]) {
      await mailing.inspect(`UPDATE suppressions SET until = now() - interval '1 second'`);
      await mailing.add(queued(), queued({ userId: 'u-2', email: 'other@bolt.example' }));
      await mailing.send();
      const [suppression] = await mailing.listed();
      expect(suppression).toMatchObject({ address: actors.bolt.email, failures });
      expect(suppression?.reason).toContain('5.1.1 no such user');
      const days =
        suppression?.until && (Date.parse(`${suppression.until}`) - Date.parse(`${suppression.since}`)) / 86_400_000;
      expect(days).toBe(failures < 3 ? 7 : null);
    }
    await mailing.add(queued());
    await mailing.send();
    expect((await mailing.outcomes()).map(String).toSorted()).toEqual([
      'refused',
      'refused',
      'refused',
      'sent',
      'sent',
      'sent',
      'suppressed',
    ]);
    expect(mailing.server.mails.flatMap(({ to }) => to)).toEqual(Array(3).fill('other@bolt.example'));
  });

  it('counts one refusal for mails that are sent concurrently', async () => {
    mailing = await openMailing({ server: refusing() });
    await mailing.add(...['u-1', 'u-2', 'u-3'].map((userId) => queued({ userId })));
    await mailing.send();
    expect(await mailing.listed()).toMatchObject([{ failures: 1, until: expect.anything() }]);
  });

  it.each([
    ['mail', 530, 'Authentication required'],
    ['rcpt', 550, '5.7.1 relaying denied'],
    ['rcpt', 550, '5.1.8 Sender address rejected: Domain not found'],
    ['rcpt', 550, '5.1.0 <orders@example.com>: Sender address rejected: User unknown'],
    ['rcpt', 550, 'Sender verify failed'],
    ['rcpt', 550, 'relay not permitted'],
    ['rcpt', 554, '<buyer@bolt.example>: Recipient address rejected: Relay access denied'],
    ['rcpt', 553, "sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
    ['rcpt', 504, '5.5.2 <po>: Helo command rejected: need fully-qualified hostname'],
    ['rcpt', 530, 'SMTP authentication is required.'],
    ['rcpt', 550, '5.1.1 Recipient address rejected: sender domain listed at zen.spamhaus.org'],
    ['rcpt', 550, 'Rejected because 192.0.2.1 is in a black list'],
    ['rcpt', 550, '192.0.2.1 is on our block-list'],
    ['rcpt', 554, 'Service unavailable; [192.0.2.1] blocked using b.barracudacentral.org'],
    ['rcpt', 554, '192.0.2.1 listed at zen.spamhaus.org'],
    ['rcpt', 554, '192.0.2.1 listed at bl.spamcop.net'],
    ['rcpt', 554, '192.0.2.1 listed at dnsbl.example.com'],
    ['rcpt', 554, 'refused by RBL'],
    ['rcpt', 550, 'Mail from your IP is not accepted'],
    ['rcpt', 550, 'sending limits exceeded'],
    ['rcpt', 550, 'sending quota exceeded'],
    [
      'rcpt',
      554,
      'Reject by behaviour spam at Rcpt State(Connection IP address:192.0.2.1)ANTISPAM_BAT[01201311R396a]: spf check failedCONTINUE',
    ],
    ['rcpt', 550, 'Ip frequency limited. http://service.mail.qq.com/cgi-bin/help'],
    ['rcpt', 550, 'Domain frequency limited'],
    ['rcpt', 550, 'Connection frequency limited'],
    ['rcpt', 550, 'rate limit exceeded'],
    ['rcpt', 554, 'Too many recipients'],
    ['rcpt', 550, '5.1.0 <orders@example.com> blocked by SPF'],
    ['rcpt', 550, 'DMARC check failed'],
    ['rcpt', 550, 'black ip'],
    ['rcpt', 550, 'IP is rejected'],
    ['rcpt', 554, '192.0.2.1 is listed at b.barracudacentral.org'],
    ['rcpt', 550, 'Client host rejected: cannot find your reverse hostname'],
    ['rcpt', 550, 'refused by local policy'],
    ['rcpt', 550, '4.7.1 try again later'],
    ['rcpt', 550, '5.4.5 Daily user limit exceeded'],
    ['data', 554, '5.2.252 SendAsDenied; not allowed to send as orders@example.com'],
    ['data', 554, '5.2.0 STOREDRV.Submission.Exception:SendAsDeniedException'],
    ['data', 550, '5.1.90 daily limit for message recipients'],
  ])('is not suppressed if the refusal is about this client: %s %i %s', async (at, code, text) => {
    await answered(at, code, text);
    expect(await mailing.outcomes()).toEqual([null]);
    expect(await mailing.listed()).toEqual([]);
  });

  it.each([
    ['rcpt', '5.1.1 no such user'],
    ['rcpt', '5.1.10 recipient has a null MX'],
    ['rcpt', '5.1.1 <sender@relay.example>: User unknown'],
    ['rcpt', '5.1.1 <buyer@bolt.example>: Recipient address rejected: User unknown in relay recipient table'],
    ['rcpt', '5.5.0 Requested action not taken: mailbox unavailable'],
    ['rcpt', '5.4.1 recipient address rejected: access denied'],
    ['rcpt', '5.1.1 User not listed in Domino Directory'],
    ['rcpt', 'Mailbox unavailable or access denied, IP: 192.0.2.1'],
    ['rcpt', 'unknown'],
    ['data', '5.1.1 no such user'],
    ['data', '5.2.2 mailbox full'],
  ])('is suppressed if the refusal is about the recipient: %s %s', async (at, text) => {
    await answered(at, 550, text);
    expect(await mailing.outcomes()).toEqual(['refused']);
    expect(await mailing.listed()).toMatchObject([{ address: actors.bolt.email }]);
  });

  const remove = (actor: Actor, commandId: string, idempotencyKey: string | null = null) => {
    const address = actors.bolt.email.toUpperCase();
    const context = { actor, commandId, idempotencyKey, method: 'DELETE', path: `/${address}` } as const;
    return mailing.suppressions.remove({ address }, context);
  };

  it('gets mail again after an ADMIN deletes the suppression, which no other role can', async () => {
    let refused = true;
    mailing = await openMailing({
      server: { faultAt: (phase) => (refused && phase === 'rcpt' ? { code: 550, text: 'unknown' } : undefined) },
    });
    await mailing.add(queued());
    await mailing.send();
    for (const actor of [actors.acme, actors.buyer]) {
      await expect(remove(actor, 'c-1')).rejects.toThrow('ROLE_NOT_ALLOWED');
      await expect(mailing.suppressions.list(actor)).rejects.toThrow('ROLE_NOT_ALLOWED');
    }
    expect(await mailing.listed()).toHaveLength(1);
    expect(await remove(actors.admin, 'c-1')).toMatchObject({ status: 204 });
    await expect(remove(actors.admin, 'c-2')).rejects.toThrow('SUPPRESSION_NOT_FOUND');
    refused = false;
    await mailing.add(queued());
    await mailing.send();
    expect(mailing.server.mails).toHaveLength(1);
  });

  it('is forgotten when an ADMIN deletes its suppression, even if that has expired', async () => {
    await answered('rcpt', 550, 'unknown');
    await mailing.inspect(`UPDATE suppressions SET until = now() - interval '1 second'`);
    expect(await remove(actors.admin, 'c-1')).toMatchObject({ status: 204 });
    expect(await mailing.inspect('SELECT address FROM suppressions')).toEqual([]);
  });

  it('stays suppressed after a deletion that is repeated with its key within 24 hours, which gets 204 again', async () => {
    await answered('rcpt', 550, 'unknown');
    const replies = await Promise.all([remove(actors.admin, 'c-1', 'k-1'), remove(actors.admin, 'c-2', 'k-1')]);
    await mailing.add(queued());
    await mailing.send();
    replies.push(await remove(actors.admin, 'c-1', 'k-1'));
    expect(replies).toMatchObject(Array(3).fill({ status: 204 }));
    expect(replies.filter(({ headers }) => headers['idempotency-replayed'])).not.toEqual([]);
    expect(await mailing.listed()).toHaveLength(1);
    await mailing.inspect(`UPDATE suppression_deletions SET created_at = now() - interval '25 hours'`);
    await remove(actors.admin, 'c-1', 'k-1');
    expect(await mailing.listed()).toEqual([]);
  });
});

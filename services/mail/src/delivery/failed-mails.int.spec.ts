import { afterEach, describe, expect, it } from '@jest/globals';
import { metricsRegistry } from '@po/platform';
import { documentOf } from '@po/testing/documents';
import type { Counter } from 'prom-client';
import { type Mailing, openMailing, queued } from '../fixtures/mailing.js';
import { type DueMail, claimDueMails, delayMail } from './due-mails.js';

let mailing: Mailing;
afterEach(() => mailing.close());

describe('a mail that cannot be composed', () => {
  it('is delayed and expires after 48 hours, while the other mails of its round are sent', async () => {
    mailing = await openMailing();
    const others = Array.from({ length: 8 }, (_, index) => `u-${index}`);
    // Accepted as any text, so that a record of a newer version is not rejected.
    const unreadable = { rule: 'REPLY_DUE', dueOn: 'tomorrow', step: 1 };
    await mailing.add(
      queued({ kind: 'REMINDER', reminder: unreadable }),
      ...others.map((userId) => queued({ userId, email: `${userId}@bolt.example` })),
    );
    const delayed = async () => {
      const metric = await (metricsRegistry.getSingleMetric('mail_delayed_total') as Counter).get();
      return metric.values[0]?.value ?? 0;
    };
    const before = await delayed();
    expect(await mailing.send()).toBe(9);
    expect(mailing.server.mails).toHaveLength(8);
    const waits = 'SELECT attempts, round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM mails';
    expect(await mailing.inspect(`${waits} WHERE done_at IS NULL`)).toEqual([{ attempts: 1, minutes: 1 }]);
    expect((await delayed()) - before).toBe(1);
    await mailing.inspect(`UPDATE mails SET first_failed_at = now() - interval '48 hours' WHERE done_at IS NULL`);
    await mailing.send();
    expect((await mailing.outcomes()).map(String).toSorted()).toEqual(['expired', ...Array(8).fill('sent')]);
  });
});

it('the statement of PoMailDelayed makes mails due that wait for a retry, but not those that are being sent', async () => {
  const [statement = ''] =
    /UPDATE mails [^`]+/.exec(documentOf('deploy/observability/runbooks/PoMailDelayed.md')) ?? [];
  mailing = await openMailing();
  await mailing.add(queued(), queued({ userId: 'u-2' }));
  await mailing.inspect(`UPDATE mails SET attempts = 3, due_at = now() - interval '1 millisecond'`);
  const [delayed] = await claimDueMails(mailing.database, 1);
  await delayMail(mailing.database, delayed as DueMail);
  expect(await claimDueMails(mailing.database, 2)).toHaveLength(1);
  await mailing.inspect(statement);
  expect(await claimDueMails(mailing.database, 2)).toMatchObject([{ id: delayed?.id }]);
});

it('a mail whose outcome cannot be stored is delayed and expires after 48 hours, while other mails are sent', async () => {
  mailing = await openMailing();
  const users = Array.from({ length: 5 }, (_, index) => `u-${index}`);
  await mailing.add(...users.map((userId) => queued({ userId, email: `${userId}@bolt.example` })));
  await mailing.inspect(
    `CREATE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN IF NEW.outcome = 'sent' AND NEW.user_id <> 'u-4' THEN RAISE EXCEPTION 'crash' USING ERRCODE = '22023'; END IF; RETURN NEW; END $$;
     CREATE TRIGGER crash BEFORE UPDATE ON mails FOR EACH ROW EXECUTE FUNCTION crash()`,
  );
  await mailing.send().catch(() => undefined);
  expect(await mailing.outcomes()).toEqual(['sent', null, null, null, null]);
  await mailing.inspect(`UPDATE mails SET first_failed_at = first_failed_at - interval '48 hours'`);
  await mailing.send().catch(() => undefined);
  expect(await mailing.outcomes()).toEqual(['sent', 'expired', 'expired', 'expired', 'expired']);
});

it.each([
  ['before it is sent', 'entries USING (is_stored())'],
  ['after the server has accepted it', 'mails USING (true) WITH CHECK (outcome IS NULL OR is_stored())'],
])('a mail for which the database fails shortly %s is sent once, in the same round', async (_when, policy) => {
  mailing = await openMailing();
  const users = Array.from({ length: 5 }, (_, index) => `u-${index}`);
  await mailing.add(...users.map((userId) => queued({ userId, email: `${userId}@bolt.example` })));
  // Fails while the notifications of all mails are read, or the first outcome is stored, and then at the entries of one mail.
  await mailing.inspect(
    `CREATE SEQUENCE calls;
     CREATE FUNCTION is_stored() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS
     $$ BEGIN IF nextval('calls') IN (1, 7) THEN RAISE EXCEPTION 'shutting down' USING ERRCODE = '57P01'; END IF; RETURN true; END $$;
     ALTER TABLE ${policy.split(' ')[0]} ENABLE ROW LEVEL SECURITY;
     CREATE POLICY failing ON ${policy}`,
  );
  expect(await mailing.send()).toBe(5);
  expect(await mailing.outcomes()).toEqual(Array(5).fill('sent'));
  expect(mailing.server.mails.flatMap(({ to }) => to).toSorted()).toEqual(users.map((user) => `${user}@bolt.example`));
});

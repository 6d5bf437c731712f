import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { metricsRegistry } from '@po/platform';
import { documentOf } from '@po/testing/documents';
import { eventually } from '@po/testing/eventually';
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

/** Opens the service with a mail for each of five users. */
async function openFive(opening: Parameters<typeof openMailing>[0] = {}): Promise<string[]> {
  mailing = await openMailing(opening);
  const users = Array.from({ length: 5 }, (_, index) => `u-${index}`);
  await mailing.add(...users.map((userId) => queued({ userId, email: `${userId}@bolt.example` })));
  return users.map((user) => `${user}@bolt.example`);
}

/** Makes the outcome "sent" fail with this SQLSTATE for the users of a condition. */
const failSent = (users: string, code: string) =>
  mailing.inspect(
    `CREATE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN IF NEW.outcome = 'sent' AND NEW.user_id ${users} THEN RAISE EXCEPTION 'crash' USING ERRCODE = '${code}'; END IF; RETURN NEW; END $$;
     CREATE TRIGGER crash BEFORE UPDATE ON mails FOR EACH ROW EXECUTE FUNCTION crash()`,
  );

it('a mail whose outcome cannot be stored is delayed and expires after 48 hours, while other mails are sent', async () => {
  await openFive();
  await failSent("<> 'u-4'", '22023');
  await mailing.send().catch(() => undefined);
  expect(await mailing.outcomes()).toEqual(['sent', null, null, null, null]);
  await mailing.inspect(`UPDATE mails SET first_failed_at = first_failed_at - interval '48 hours'`);
  await mailing.send().catch(() => undefined);
  expect(await mailing.outcomes()).toEqual(['sent', 'expired', 'expired', 'expired', 'expired']);
});

it('a mail for which the database always times out ends its round after the limit of the retries', async () => {
  await openFive({ retryMs: 500 });
  await failSent("= 'u-0'", '57014');
  await expect(mailing.send()).rejects.toThrow('crash');
  expect(await mailing.outcomes()).toEqual(['sent', 'sent', 'sent', 'sent', null]);
});

/** Makes these calls of `is_stored()`, which a policy for a table contains, fail as at the shutdown of PostgreSQL. */
const failCalls = (calls: readonly number[], policy: string) =>
  mailing.inspect(
    `CREATE SEQUENCE calls;
     CREATE FUNCTION is_stored() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS
     $$ BEGIN IF nextval('calls') IN (${calls.join()}) THEN RAISE EXCEPTION 'shutting down' USING ERRCODE = '57P01'; END IF; RETURN true; END $$;
     ALTER TABLE ${policy.split(' ')[0]} ENABLE ROW LEVEL SECURITY;
     CREATE POLICY failing ON ${policy}`,
  );
const OUTCOMES = 'mails USING (true) WITH CHECK ((outcome IS NULL AND first_failed_at IS NULL) OR is_stored())';
const REFUSALS = 'suppressions USING (true) WITH CHECK (is_stored())';

// The first call is made for all mails, or for the first outcome; the last one for the entries or the outcome of one mail.
it.each([
  ['the notifications of a mail that is sent', [1, 7], 'entries USING (is_stored())', 'sent', undefined],
  ['the outcome of a mail that is sent', [1, 3], OUTCOMES, 'sent', undefined],
  ['the outcome of a mail that is refused', [1, 3], OUTCOMES, 'refused', 550],
  ['the suppression of a refused address', [1, 3], REFUSALS, 'refused', 550],
  ['the delay of a mail after a busy answer', [1, 3], OUTCOMES, null, 450],
] as const)('repeats the work if the database fails shortly at %s', async (_at, calls, policy, outcome, code) => {
  const tried: string[] = [];
  const addresses = await openFive({
    server: {
      faultAt: (phase, address) => {
        if (phase === 'rcpt') tried.push(address);
        return phase === 'rcpt' && code ? { code, text: 'unknown' } : undefined;
      },
    },
  });
  await failCalls(calls, policy);
  expect(await mailing.send()).toBe(5);
  const [made] = await mailing.inspect<{ calls: number }>('SELECT last_value::int AS calls FROM calls');
  expect(made?.calls).toBeGreaterThan(Math.max(...calls));
  expect(await mailing.outcomes()).toEqual(Array(5).fill(outcome));
  expect(tried.toSorted()).toEqual(addresses);
  expect(await mailing.listed()).toHaveLength(outcome === 'refused' ? 5 : 0);
  // No mail waits for the end of its lease.
  expect(
    await mailing.inspect(`SELECT 1 FROM mails WHERE done_at IS NULL AND due_at > now() + interval '1 minute'`),
  ).toEqual([]);
});

it('a mail that the server accepts while the service stops is sent once, even if its outcome cannot be stored at first', async () => {
  const { promise: looked, resolve } = Promise.withResolvers<undefined>();
  mailing = await openMailing({ server: { received: () => looked } });
  await mailing.add(queued());
  await mailing.inspect(`UPDATE mails SET due_at = now() - interval '1 second'`);
  await failCalls([1], OUTCOMES);
  const stopping = mailing.sender();
  stopping.start();
  await eventually('the mail is in progress', () => mailing.server.mails.length === 1);
  const stopped = stopping.stop();
  resolve(undefined);
  await stopped;
  expect(await mailing.outcomes()).toEqual(['sent']);
});

it('a mail whose user reads everything while the lookup of the address is repeated is not sent', async () => {
  let read = false;
  mailing = await openMailing({
    marksMs: 0,
    readMarks: (ids) => Promise.resolve(new Map(ids.map((id) => [id, read]))),
  });
  await mailing.add(queued());
  jest.spyOn(mailing.suppressions, 'includes').mockImplementationOnce(() => {
    read = true;
    return Promise.reject(new Error('Connection terminated unexpectedly'));
  });
  await mailing.send();
  expect(await mailing.outcomes()).toEqual(['read']);
});

import { allReady } from '../../../deploy/local/stack/readiness.js';
import { eventually } from '@po/testing/eventually';
import { databaseOf } from '../database.js';
import { rowsOf } from '../../support/rows.js';
import { advanceMailTime } from '../mail-queue.js';
import type { Violation } from '../oracle/evidence.js';
import type { Random } from '../random.js';
import type { Scenario } from '../scenario.js';
import type { Load } from '../workload.js';
import { type World, managementUrls } from '../world.js';
import { crash } from './crashes.js';

const MIN_SERVED = 25;
/** Minutes after each of the first three attempts. The attempt after them follows 60 minutes later. */
const PAUSES = [1, 5, 15];
const LAST_PAUSE = 60;

interface DelayedMail {
  id: string;
  attempts: number;
  /** Minutes until the next attempt. */
  minutes: number;
}

/** A mail that waits after this number of failed attempts; undefined if there is none. */
async function delayed(world: World, attempts: number, id?: string): Promise<DelayedMail | undefined> {
  const [mail] = await rowsOf<DelayedMail>(
    databaseOf(world, 'mail'),
    // Excludes mails under a lease of 12 minutes.
    `SELECT id, attempts, round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM mails
      WHERE attempts = ${attempts} AND NOT open AND done_at IS NULL AND due_at > now() ${id ? `AND id = '${id}'` : ''}
        AND due_at NOT BETWEEN now() + interval '11 minutes' AND now() + interval '12 minutes' ORDER BY first_due_at LIMIT 1`,
  );
  return mail;
}

/** Number of notifications of all users. */
async function countNotifications(world: World): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    databaseOf(world, 'notifications'),
    'SELECT count(*)::int AS count FROM notifications',
  );
  return row?.count ?? 0;
}

/** The mail server is down for over an hour: users notice nothing, and no mail is lost. Time passes only in the rows of the mails. */
async function downForAnHour(world: World, load: Load): Promise<Violation[]> {
  const violations: Violation[] = [];
  await world.mailServer.down();
  const accepted = world.mailServer.accepted.length;
  const before = await countNotifications(world);
  try {
    const first = await eventually('a mail is postponed', () => delayed(world, 1));
    for (const [index, pause] of PAUSES.entries()) {
      const attempt = await eventually(`attempt ${index + 1} of mail ${first.id} fails`, () =>
        delayed(world, index + 1, first.id),
      );
      if (attempt.minutes !== pause)
        violations.push(`mail ${first.id} waits ${attempt.minutes} minutes after attempt ${index + 1}`);
      await load.served(MIN_SERVED);
      await advanceMailTime(world, pause);
    }
    await eventually('the last attempt fails', () => delayed(world, PAUSES.length + 1, first.id));
    await eventually(
      'users are notified without the mail server',
      async () => (await countNotifications(world)) > before,
    );
    if (!(await allReady(managementUrls(world)))) violations.push('a replica is not ready without the mail server');
    if (world.mailServer.accepted.length > accepted) violations.push('a mail server that is down accepted mails');
  } finally {
    await world.mailServer.up();
  }
  await advanceMailTime(world, LAST_PAUSE);
  await waitForMails(world);
  return violations;
}

/** Resolves when the mail server has accepted another mail. */
export async function waitForMails({ mailServer: { accepted } }: World): Promise<void> {
  const before = accepted.length;
  await eventually('mails arrive', () => accepted.length > before);
}

const repeated = ({ mailServer: { accepted } }: World): number =>
  accepted.length - new Set(accepted.map(({ messageId }) => messageId)).size;

/** A mail that the server accepted, but the service did not store as sent, is sent again with the same Message-ID. */
async function diesBeforeStoring(world: World, random: Random): Promise<void> {
  const before = repeated(world);
  await crash(world, random, { name: 'before a mail is stored as sent', service: 'mail', point: 'mail:sent' });
  await eventually('the mail comes again with the same Message-ID after its lease', async () => {
    await advanceMailTime(world, 12);
    return repeated(world) > before;
  });
}

export const MAIL: Scenario[] = [
  {
    name: 'the mail server down for an hour',
    fault: (world, _random, load) => downForAnHour(world, load),
  },
  {
    name: 'crash after the mail server accepted a mail, before it is stored as sent',
    fault: (world, random) => diesBeforeStoring(world, random),
  },
];

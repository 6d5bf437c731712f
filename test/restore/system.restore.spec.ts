import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { installTools } from '#tools/install.js';
import { BACKUP_TOOLS } from '#tools/tools.js';
import { eventually } from '@po/testing/eventually';
import { DEFAULT_DIR } from '../../deploy/local/config.js';
import { stepsBy } from '../../deploy/local/progress.js';
import { databaseOf, rowsOf } from '../faults/database.js';
import type { OperationLog } from '../faults/operation-log.js';
import { checkDashboards } from '../faults/oracle/dashboards.js';
import { type Evidence, type Violation, gatherEvidence, grouped } from '../faults/oracle/evidence.js';
import { violationsOf } from '../faults/oracle/oracle.js';
import { checkWorkflow } from '../faults/oracle/workflow.js';
import { USERS } from '../faults/users.js';
import { type World, openWorld } from '../faults/world.js';
import { act, busy, commandEnds, detailOf, historyIdOf, importOrder } from './lost-acts.js';
import { BackedUp } from './restored-world.js';

const RUN_MS = 600_000;
const OPERATIONS = 60;
const TOOLS_DIR = join(DEFAULT_DIR, 'tools');
const step = stepsBy((line) => process.stderr.write(`${line}\n`));
const seed = Number(process.env.FAULTS_SEED);
const [kept, late] = [`R-${seed}-KEPT`, `R-${seed}-LATE`];

describe(`PostgreSQL, destroyed and restored to an earlier time by the runbook (seed ${seed})`, () => {
  let world: World;
  let backedUp: BackedUp;
  let atT: Evidence;
  let wrongAtT: Violation[];
  let after: Evidence;
  /** Operations after T. */
  let lostLog: OperationLog;
  let listed: string[];
  let restoredAt: string;

  beforeAll(async () => {
    const programs = await installTools(TOOLS_DIR, BACKUP_TOOLS, step);
    world = await openWorld(seed);
    backedUp = await BackedUp.open(world, programs);
    await step('work, and back up meanwhile', async () => {
      const log = await busy(world, 'before T', OPERATIONS, async () => {
        await importOrder(world, kept);
        await Promise.all([backedUp.do('base'), backedUp.do('dump')]);
        await act(world, 'crane', kept, 'SUBMIT', 'kept-submit');
      });
      world.log.operations.push(...log.operations);
    });
    atT = await gatherEvidence(world);
    // The records of topics, and the mails, are added to as they come.
    wrongAtT = violationsOf(atT);
    restoredAt = await backedUp.now();
    await step('work that will be lost', async () => {
      lostLog = await busy(world, 'after T', OPERATIONS, async () => {
        await act(world, 'buyer', kept, 'REJECT', 'lost-reject');
        await act(world, 'crane', kept, 'SUBMIT', 'lost-submit');
        await importOrder(world, late);
        await act(world, 'crane', late, 'SUBMIT', 'lost-late');
        await importOrder(world, late, 2);
      });
    });
    const ends = commandEnds();
    await backedUp.archived();
    await step('restore', () => backedUp.restoreTo(restoredAt, '-restored', () => Date.now() > ends));
    listed = (await backedUp.do('lost', restoredAt)).trim().split('\n');
    after = await gatherEvidence(world);
  }, RUN_MS);

  afterAll(async () => {
    await world?.close();
  }, RUN_MS);

  const numbers = () => after.orders.map(({ poNumber }) => poNumber);
  const idsIn = (entries: readonly { id: string }[]) => new Set(entries.map(({ id }) => id));

  it('was whole at the time that it is restored to', () => {
    expect(wrongAtT).toEqual([]);
  });

  it('has everything of before, and beside it only what the inventory system said since', () => {
    const [before, now] = [idsIn(atT.history), idsIn(after.history)];
    expect([...before].filter((id) => !now.has(id))).toEqual([]);
    const added = after.history.filter(({ id }) => !before.has(id));
    expect(added.filter(({ actorRole }) => actorRole !== 'SYSTEM')).toEqual([]);
    expect(after.messages).toEqual(atT.messages);
    expect(checkWorkflow(after)).toEqual([]);
  });

  it('has every order of the feed again, at its last revision', () => {
    const sent = [...lostLog.operations, ...world.log.operations].filter(({ kind }) => kind === 'source');
    const orders = new Map(after.orders.map((order) => [order.poNumber, order]));
    const missing = sent.filter(({ target, detail }) => {
      const order = orders.get(target);
      return !order || (order.statusId !== 900 && order.sourceRevision < Number(detail));
    });
    expect(missing.map(({ target, detail }) => `${target} at ${detail}`)).toEqual([]);
    expect(orders.get(late)).toMatchObject({ statusId: 100, sourceRevision: 2 });
  });

  it('agrees with the state topic, for who keeps the last record and for who keeps the highest version', () => {
    const stored = after.orders.map(({ poNumber, statusId, version }) => ({ poNumber, statusId, version }));
    const states = grouped(after.states, ({ poNumber }) => poNumber);
    const shown = (choose: (of: Evidence['states']) => Evidence['states'][number] | undefined) =>
      numbers().map((poNumber) => {
        const { statusId, version } = choose(states.get(poNumber) ?? []) ?? {};
        return { poNumber, statusId, version };
      });
    expect(shown((of) => of.at(-1))).toEqual(stored);
    expect(shown((of) => of.toSorted((left, right) => left.version - right.version).at(-1))).toEqual(stored);
    expect([...states.keys()].toSorted()).toEqual(numbers().toSorted());
  });

  it('agrees with every dashboard', () => {
    expect(checkDashboards(after)).toEqual([]);
  });

  it('lists the entries that were published and are lost, and no other', () => {
    const now = idsIn(after.history);
    const lost = after.transitions.filter(({ id }) => !now.has(id)).map(({ id }) => id);
    expect(listed.map((line) => line.split('|')[0] ?? '').toSorted()).toEqual([...new Set(lost)].toSorted());
    expect(listed.filter((line) => line.includes(`|${kept}|`)).map((line) => line.split('|')[2])).toEqual([
      'REJECT',
      'SUBMIT',
    ]);
  });

  it('has told each user of each published entry and message once, under one id', () => {
    const told = after.notifications.map(({ userId, historyId }) => `${userId} of ${historyId}`);
    expect(new Set(told).size).toBe(told.length);
    expect([...idsIn(after.announced)].toSorted()).toEqual([...idsIn(after.notifications)].toSorted());
    for (const { userId, unread } of after.shown)
      expect(unread).toBe(after.notifications.filter((each) => each.userId === userId && !each.read).length);
    expect(after.deadLetters).toEqual([]);
  });

  it('answers a repetition of before by what was done, and carries out one of what is lost, once', async () => {
    const before = await detailOf(world, kept);
    const replayed = await act(world, 'crane', kept, 'SUBMIT', 'kept-submit');
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    const again = await act(world, 'buyer', kept, 'REJECT', 'lost-reject');
    const twice = await act(world, 'buyer', kept, 'REJECT', 'lost-reject');
    expect(historyIdOf(twice)).toBe(historyIdOf(again));
    expect(await detailOf(world, kept)).toMatchObject({ statusId: 150, version: before.version + 1 });
    await eventually('everybody who is told of it is told once', async () => {
      const rows = await rowsOf<{ userId: string }>(
        databaseOf(world, 'notifications'),
        `SELECT user_id AS "userId" FROM notifications WHERE history_id = '${historyIdOf(again)}' ORDER BY user_id`,
      );
      expect(rows.map(({ userId }) => userId)).toEqual([USERS.crane.sub]);
      expect(checkDashboards(await gatherEvidence(world))).toEqual([]);
      return true;
    });
  });

  it('can be had from a dump that was made while users worked, whole', async () => {
    await backedUp.do('undump');
    const [row] = await backedUp.rowsIn<{ orders: number; torn: number }>(
      'restored',
      `SELECT count(*)::int AS orders,
              (count(*) FILTER (WHERE sequence <> (SELECT count(*) FROM history h WHERE h.order_id = o.id)))::int AS torn
         FROM purchase_orders o`,
    );
    expect(row).toMatchObject({ torn: 0 });
    expect(row?.orders).toBeGreaterThan(0);
    expect(row?.orders).toBeLessThanOrEqual(after.orders.length);
  });
});

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { installTools } from '#local/tools/install.js';
import { BACKUP_TOOLS } from '#local/tools/tools.js';
import { eventually } from '@po/testing/eventually';
import { DEFAULT_DIR } from '../../deploy/local/config.js';
import { stepReporter } from '../../deploy/local/progress.js';
import { databaseOf } from '../faults/database.js';
import { rowsOf } from '../support/rows.js';
import type { OperationLog } from '../faults/operation-log.js';
import { type Evidence, type Violation, gatherEvidence } from '../faults/oracle/evidence.js';
import { violationsOf } from '../faults/oracle/oracle.js';
import { USERS } from '../faults/users.js';
import { type World, openWorld } from '../faults/world.js';
import { inconsistencies } from './consistency.js';
import { act, runUnderLoad, commandEnds, detailOf, historyIdOf, importOrder } from './lost-operations.js';
import { BackedUpWorld } from './restored-world.js';

const RUN_MS = 600_000;
const OPERATIONS = 60;
const TOOLS_DIR = join(DEFAULT_DIR, 'tools');
const step = stepReporter((line) => process.stderr.write(`${line}\n`));
const seed = Number(process.env.FAULTS_SEED);
const [kept, late] = [`R-${seed}-KEPT`, `R-${seed}-LATE`];

describe(`PostgreSQL, restored to an earlier time by the runbook (seed ${seed})`, () => {
  let world: World;
  let backedUp: BackedUpWorld;
  let atT: Evidence;
  let wrongAtT: Violation[];
  let after: Evidence;
  /** Operations before T, and after T. */
  let before: OperationLog;
  let lost: OperationLog;
  let listed: string[];
  let [time, earlier] = ['', ''];

  beforeAll(async () => {
    const programs = await installTools(TOOLS_DIR, BACKUP_TOOLS, step);
    world = await openWorld(seed);
    backedUp = await BackedUpWorld.open(world, programs);
    await step('run the load and make backups', async () => {
      before = await runUnderLoad(world, 'before T', OPERATIONS, async () => {
        await importOrder(world, kept);
        await Promise.all([backedUp.do('base'), backedUp.do('dump')]);
        earlier = await backedUp.now();
        await act(world, 'crane', kept, 'SUBMIT', 'kept-submit');
      });
    });
    atT = { ...(await gatherEvidence(world)), operations: before.operations };
    // Checked now, because the records of topics and the mails in the evidence are still growing.
    wrongAtT = violationsOf(atT);
    time = await backedUp.now();
    await step('run the load that will be lost', async () => {
      lost = await runUnderLoad(world, 'after T', OPERATIONS, async () => {
        await act(world, 'buyer', kept, 'REJECT', 'lost-reject');
        await act(world, 'crane', kept, 'SUBMIT', 'lost-submit');
        await importOrder(world, late);
        await act(world, 'crane', late, 'SUBMIT', 'lost-late');
        await importOrder(world, late, 2);
      });
    });
    const ends = commandEnds();
    await step('restore', () => backedUp.restoreTo(time, '-restored', () => Date.now() > ends));
    listed = (await backedUp.do('lost', time)).trim().split('\n');
    after = await evidence();
  }, RUN_MS);

  afterAll(async () => {
    await world?.close();
  }, RUN_MS);

  const evidence = async () => ({
    ...(await gatherEvidence(world)),
    operations: [...before.operations, ...lost.operations],
  });
  const idsIn = (entries: readonly { id: string }[]) => new Set(entries.map(({ id }) => id));

  it('was consistent at time T, to which it is restored', () => {
    expect(wrongAtT).toEqual([]);
  });

  it('has everything from before T, and from after T only changes by the inventory system', () => {
    const [then, now] = [idsIn(atT.history), idsIn(after.history)];
    expect([...then].filter((id) => !now.has(id))).toEqual([]);
    const added = after.history.filter(({ id }) => !then.has(id));
    expect(added.filter(({ actorRole }) => actorRole !== 'SYSTEM')).toEqual([]);
    expect(after.messages).toEqual(atT.messages);
  });

  it('is consistent with topics, dashboards, inboxes and the inventory topic', () => {
    expect(inconsistencies(after)).toEqual([]);
    expect(after.orders.find(({ poNumber }) => poNumber === late)).toMatchObject({ statusId: 100, sourceRevision: 2 });
  });

  it('lets the runbook list exactly the published entries that are lost', () => {
    const now = idsIn(after.history);
    const removed = after.transitions.filter(({ id }) => !now.has(id)).map(({ id }) => id);
    expect(listed.map((line) => line.split('|')[0] ?? '').toSorted()).toEqual([...new Set(removed)].toSorted());
    expect(listed.filter((line) => line.includes(`|${kept}|`)).map((line) => line.split('|')[2])).toEqual([
      'REJECT',
      'SUBMIT',
    ]);
  });

  it('replays the response to a repeated request from before T, and executes a repeated lost request once', async () => {
    const { version } = await detailOf(world, kept);
    const replayed = await act(world, 'crane', kept, 'SUBMIT', 'kept-submit');
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    const again = await act(world, 'buyer', kept, 'REJECT', 'lost-reject');
    const twice = await act(world, 'buyer', kept, 'REJECT', 'lost-reject');
    expect(historyIdOf(twice)).toBe(historyIdOf(again));
    expect(await detailOf(world, kept)).toMatchObject({ statusId: 150, version: version + 1 });
    await eventually('each recipient is notified once', async () => {
      const rows = await rowsOf<{ userId: string }>(
        databaseOf(world, 'notifications'),
        `SELECT user_id AS "userId" FROM notifications WHERE history_id = '${historyIdOf(again)}' ORDER BY user_id`,
      );
      expect(rows.map(({ userId }) => userId)).toEqual([USERS.crane.sub]);
      expect(inconsistencies(await evidence())).toEqual([]);
      return true;
    });
  });

  it('can be restored consistently from a dump that was made while users worked', async () => {
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

  it(
    'can be restored again, to a time before T, after its data were destroyed',
    async () => {
      const ends = commandEnds();
      await backedUp.restoreLost(earlier, '-again', () => Date.now() > ends);
      expect(inconsistencies(await evidence())).toEqual([]);
      expect(await detailOf(world, kept)).toMatchObject({ statusId: 100 });
    },
    RUN_MS,
  );
});

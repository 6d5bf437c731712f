import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GROUPS, type Kpis, STATUSES, TOPICS, deadLetterTopic } from '@po/contracts';
import type { IncomingRecord } from '@po/messaging';
import pg from 'pg';
import { eventually } from '@po/testing/eventually';
import { outcomeOf } from '../../deploy/local/processes/run.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { repairIn } from '../support/repair.js';
import { readStack, stackFolder } from '../support/stack.js';
import { type World, act, detailOf, newPoNumber, openWorld } from './world.js';

const GROUP = GROUPS.inventory;

const repair = (...args: string[]) => repairIn(stackFolder(), ...args);

describe('the repair command', () => {
  let world: World;
  let database: pg.Client;
  beforeAll(async () => {
    world = openWorld();
    database = new pg.Client({ connectionString: readStack().databaseUrls.purchaseOrders });
    await database.connect();
  });
  afterAll(() => database.end());

  const lettersOf = (key: string) => world.raw(deadLetterTopic(GROUP), (record) => record.key?.toString() === key);
  const statesOf = (poNumber: string) => world.raw(TOPICS.state, (record) => record.key?.toString() === poNumber);
  const kpis = async () => (await world.as('buyer').get<Kpis>('/dashboard/kpis')).body;
  /** The counts of the dashboard once they equal those of the database. */
  const settledKpis = async () => {
    const { rows } = await database.query<{ status: number; count: number }>(
      'SELECT status_id AS status, count(*)::integer AS count FROM purchase_orders GROUP BY status_id',
    );
    const counts = new Map(rows.map(({ status, count }) => [status, count]));
    const truth = Object.fromEntries(STATUSES.map(({ kpiKey, statusId }) => [kpiKey, counts.get(statusId) ?? 0]));
    return eventually('the dashboard has the counts of the database', async () => {
      const shown = await kpis();
      expect(shown).toEqual(truth);
      return shown;
    });
  };
  const place = ({ partition, offset }: IncomingRecord) => `${partition}/${offset}`;

  it('lists, shows and redrives a dead letter, which becomes a dead letter again because it is invalid', async () => {
    const key = newPoNumber();
    await world.produce(key, '{"poNumber":', 'purchase-order.upserted');
    const [letter] = await eventually('the record is a dead letter', async () => {
      const letters = await lettersOf(key);
      return letters.length === 1 && (letters as [IncomingRecord]);
    });
    const listed = await repair('dead-letters', 'list', GROUP);
    const line = listed.output.split('\n').find((each) => each.includes(`key ${key}`));
    expect(listed.output).toMatch(new RegExp(`^${GROUP} +[1-9]`));
    expect(line).toContain(`${deadLetterTopic(GROUP)}/${place(letter)}  from ${TOPICS.inventory}/`);
    expect(line).toContain('the value is not JSON');

    const shown = await repair('dead-letters', 'show', GROUP, place(letter));
    expect(shown.output).toContain('type: purchase-order.upserted\n');
    expect(shown.output).toContain(`\n\n${Buffer.from('{"poNumber":').toString('hex')}\n`);

    const redriven = await repair('dead-letters', 'redrive', GROUP, place(letter));
    expect(redriven).toMatchObject({ code: 0, output: expect.stringContaining('1 redriven. Safe to repeat') });
    const [, again] = await eventually('the record is a dead letter again', async () => {
      const letters = await lettersOf(key);
      return letters.length === 2 && letters.toSorted((a, b) => Number(a.offset) - Number(b.offset));
    });
    expect(again?.value).toEqual(letter.value);
    expect(again?.headers['x-redriven-from']).toBe(`${deadLetterTopic(GROUP)}/${place(letter)}`);
    expect(again?.headers['x-dlq-partition']).toBe(letter.headers['x-dlq-partition']);

    const all = await repair('dead-letters', 'redrive', GROUP, '--all');
    expect(all.output).toContain(`${place(again as IncomingRecord)} -> ${TOPICS.inventory}/`);
    expect(all.output).not.toContain(`${place(letter)} -> `);
    expect(all.output).toMatch(/skipped: they were redriven before/);
  });

  it('lists dead letters without an error if the reader closes the pipe early', async () => {
    const command = `"${process.execPath}" deploy/local/bootstrap.mjs dead-letters list | true`;
    const env = { ...process.env, PO_LOCAL_DIR: stackFolder() };
    expect(await outcomeOf('sh', ['-c', command], { cwd: REPOSITORY, env })).toMatchObject({ code: 0, text: '' });
  });

  it('refuses unknown arguments and names the allowed ones', async () => {
    const unknown = await repair('dead-letters', 'list', 'purchase-orders');
    const absent = await repair('dead-letters', 'redrive', GROUP, '0/999999');
    const bare = await repair('republish');
    expect(unknown).toMatchObject({
      code: 1,
      output: '',
      text: expect.stringContaining(Object.values(GROUPS).join(', ')),
    });
    expect(absent).toMatchObject({ code: 1, output: '', text: expect.stringContaining('0/999999') });
    expect(bare.code).toBe(1);
    expect(bare.output).toContain('usage: republish <poRef>… | --all');
  });

  it('republishes an order as the same event, which changes no counts', async () => {
    const { poNumber } = await world.importOrder();
    await act(world.as('vendor:ACME'), poNumber, 'SUBMIT');
    const [before] = await eventually('the state of the order is published', async () => {
      const records = await statesOf(poNumber);
      return records.length === 2 && records.slice(-1);
    });
    const counts = await settledKpis();
    expect(await repair('republish', poNumber)).toMatchObject({ code: 0 });
    const after = await eventually('the state is published again', async () => (await statesOf(poNumber))[2]);
    expect(after.headers.ce_id).toBe(before?.headers.ce_id);
    const [first, second] = [before, after].map((record) => JSON.parse(String(record?.value)) as { poVersion: number });
    expect(second?.poVersion).toBe(first?.poVersion);
    expect(await kpis()).toEqual(counts);
    expect(await repair('republish', newPoNumber())).toMatchObject({ code: 1 });
  });

  it('rebuilds the dashboard with the same counts', async () => {
    const counts = await settledKpis();
    const { code, output } = await repair('rebuild-dashboard');
    expect(output).toContain('a new generation is active');
    expect(code).toBe(0);
    expect(await kpis()).toEqual(counts);
  });

  it('republishes a restored order, which consumers accept if its version exceeds the published ones', async () => {
    const { poNumber } = await world.importOrder();
    await database.query('UPDATE purchase_orders SET version = version + 100000 WHERE po_number = $1', [poNumber]);
    const { version } = await detailOf(world.as('vendor:ACME'), poNumber);
    expect(await repair('republish', poNumber)).toMatchObject({ code: 0 });
    await eventually('the state is published with the new version', async () =>
      (await world.records(TOPICS.state, poNumber)).some(({ poVersion }) => poVersion === version),
    );
    expect(await act(world.as('vendor:ACME'), poNumber, 'SUBMIT')).toMatchObject({ version: version + 1 });
    await settledKpis();
  });
});

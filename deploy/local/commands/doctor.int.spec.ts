import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { INSERT_OUTBOX_ENTRIES, OUTBOX_DDL, serializeOutboxEntries } from '@po/messaging';
import { testDatabases } from '@po/testing/databases';
import pg from 'pg';
import { childEnvironment } from '../config.js';
import { recordProcesses } from '../processes/leftovers.js';
import { HOST } from '../processes/ports.js';
import { run } from '../processes/run.js';

const PROGRAM = new URL('../dist/commands/doctor.js', import.meta.url).pathname;

let dir: string;
let databases: Awaited<ReturnType<typeof testDatabases>>;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'po-doctor-'));
  databases = await testDatabases();
});
afterAll(async () => {
  await databases.drop();
  await rm(dir, { recursive: true });
});

it('the doctor names the orders with a parked outbox row, the reason and the repair', async () => {
  const [purchaseOrders, notifications] = [databases.purchaseOrders.inspection, databases.notifications.inspection];
  for (const connectionString of [purchaseOrders, notifications]) {
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query(OUTBOX_DDL);
    const entries = ['PO-1', 'PO-2'].map((key) => ({ key, version: 1, traceparent: 't', messages: [] }));
    await client.query(INSERT_OUTBOX_ENTRIES, [serializeOutboxEntries(entries)]);
    if (connectionString === purchaseOrders)
      await client.query(`UPDATE outbox SET parked_reason = 'too large' WHERE key = 'PO-2'`);
    await client.end();
  }
  const stack = {
    gatewayUrl: `http://${HOST}:1`,
    gatewayUrls: [],
    portalUrl: null,
    kafkaBrokers: `${HOST}:1`,
    databaseUrls: { purchaseOrders, notifications },
    redisUrl: `redis://${HOST}:1`,
    jwksUrl: `http://${HOST}:1`,
    managementUrls: {},
  };
  await writeFile(join(dir, 'stack.json'), JSON.stringify(stack));
  recordProcesses(dir, []);
  const env = childEnvironment({ PO_LOCAL_DIR: dir });
  const printed = await run(process.execPath, ['--no-warnings', PROGRAM], { env }).then(String, String);
  expect(printed).toMatch(
    /^FAIL {2}outbox purchaseOrders +1 row\(s\) parked: PO-2 \(too large\)\n {6}fix: .+REPAIR\.md/m,
  );
  expect(printed).toMatch(/^ok {4}outbox notifications +no row is parked$/m);
});

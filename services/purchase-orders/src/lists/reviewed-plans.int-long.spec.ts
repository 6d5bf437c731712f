import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { manyOrdersDatabase } from '../fixtures/many-orders.js';
import type { OrdersDatabase } from '../fixtures/orders-database.js';
import { UNSAID, plansDocument } from '../fixtures/plans-document.js';
import { slowestStatements } from '../fixtures/slowest-statements.js';

const FILE = fileURLToPath(new URL('plans.md', import.meta.url));
const reviewed = () => readFileSync(FILE, 'utf8');
const SLOWEST = 5;
const WRITTEN_BY = 'WRITE_PLANS=1 npm run test:all -- --tier integration-long reviewed-plans';

let database: OrdersDatabase;
beforeAll(async () => {
  database = await manyOrdersDatabase();
}, 180_000);
afterAll(() => database.drop());

test(`the slowest queries are planned as plans.md says, which is written anew by ${WRITTEN_BY}`, async () => {
  const planned = plansDocument(await slowestStatements(database, SLOWEST), WRITTEN_BY, reviewed());
  if (process.env.WRITE_PLANS) writeFileSync(FILE, planned);
  expect(planned).toBe(reviewed());
}, 300_000);

test('of each is said what bounds it', () => {
  const lines = reviewed().split('\n');
  expect(lines.filter((line) => line.startsWith('Bounded by'))).toHaveLength(SLOWEST);
  expect(lines).not.toContain(UNSAID);
});

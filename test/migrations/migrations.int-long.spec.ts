import type { Migration } from '@po/database';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MIGRATIONS as MAIL } from '../../services/mail/src/migrations/migrations.js';
import { MIGRATIONS as NOTIFICATIONS } from '../../services/notifications/src/migrations/migrations.js';
import { MIGRATIONS as PURCHASE_ORDERS } from '../../services/purchase-orders/src/migrations/migrations.js';
import { testDatabases } from '@po/testing/databases';
import { violationsOf } from './rules.js';
import { BAD, BEFORE, GOOD, migrationOf } from './samples.js';

let databases: Awaited<ReturnType<typeof testDatabases>>;
beforeEach(async () => {
  databases = await testDatabases({
    name: 'empty',
    services: ['purchaseOrders', 'notifications', 'mail'],
    fill: () => Promise.resolve(),
  });
});
afterEach(() => databases.drop());

describe('the rules for migrations that must not block users on tables of ten million rows', () => {
  const violations = (sample: Migration) => violationsOf(databases.notifications.migrations, [BEFORE, sample]);

  it.each(BAD)('reject $what ($rule)', async ({ does, alone, rule }) => {
    const found = await violations(migrationOf('Sample1800000000001', does, { alone }));
    expect(found).toContainEqual(expect.objectContaining({ migration: 'Sample1800000000001', rule }));
  });

  it.each(GOOD)('allow $what', async ({ does, alone }) => {
    expect(await violations(migrationOf('Sample1800000000001', does, { alone }))).toEqual([]);
  });
});

it.each([
  ['purchase-orders', PURCHASE_ORDERS, () => databases.purchaseOrders],
  ['notifications', NOTIFICATIONS, () => databases.notifications],
  ['mail', MAIL, () => databases.mail],
] as const)('the migrations of %s violate no rule', async (_service, migrations, urls) => {
  expect(await violationsOf(urls().migrations, migrations)).toEqual([]);
});

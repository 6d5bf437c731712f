import type { Migration } from '@po/database';
import { afterEach, describe, expect, it } from '@jest/globals';
import { MIGRATIONS as MAIL } from '../../services/mail/src/migrations/migrations.js';
import { MIGRATIONS as NOTIFICATIONS } from '../../services/notifications/src/migrations/migrations.js';
import { MIGRATIONS as PURCHASE_ORDERS } from '../../services/purchase-orders/src/migrations/migrations.js';
import { testDatabases } from '@po/testing/databases';
import type { DatabaseService } from '@po/testing/service-databases';
import { violationsOf } from './rules.js';
import { BAD, BEFORE, GOOD, migrationOf } from './samples.js';

let databases: Awaited<ReturnType<typeof testDatabases>>;
afterEach(() => databases.drop());

/** URL of an empty database of this service, for its migrations. */
async function emptyOf(service: DatabaseService): Promise<string> {
  databases = await testDatabases({
    name: `empty_${service.toLowerCase()}`,
    services: [service],
    fill: () => Promise.resolve(),
  });
  return databases[service].migrations;
}

describe('the rules for migrations that must not block users on tables of ten million rows', () => {
  const violations = async (sample: Migration) => violationsOf(await emptyOf('notifications'), [BEFORE, sample]);

  it.each(BAD)('reject $what ($rule)', async ({ does, alone, rule }) => {
    const found = await violations(migrationOf('Sample1800000000001', does, { alone }));
    expect(found).toContainEqual(expect.objectContaining({ migration: 'Sample1800000000001', rule }));
  });

  it.each(GOOD)('allow $what', async ({ does, alone }) => {
    expect(await violations(migrationOf('Sample1800000000001', does, { alone }))).toEqual([]);
  });
});

it.each([
  ['purchaseOrders', PURCHASE_ORDERS],
  ['notifications', NOTIFICATIONS],
  ['mail', MAIL],
] as const)('the migrations of %s violate no rule', async (service, migrations) => {
  expect(await violationsOf(await emptyOf(service), migrations)).toEqual([]);
});

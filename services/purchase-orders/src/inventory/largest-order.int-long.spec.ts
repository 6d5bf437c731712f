import { beforeAll, expect, test } from '@jest/globals';
import { inventoryOf, revision } from '../fixtures/inventory.js';
import { snapshot } from '../fixtures/orders.js';
import { ordersDatabaseForTests } from '../fixtures/orders-database.js';

/** Longer than the statement timeout of smaller orders. */
const SECONDS = 6;
const ROWS = 5_000;
const IDEOGRAPHS = 20_000;

/** A text of 100 characters. Such texts have few parts in common. */
const longText = (number: number) =>
  String.fromCharCode(
    ...Array.from({ length: 100 }, (_, at) => 0x4e00 + ((number * 7_919 + at * at * 31) % IDEOGRAPHS)),
  );

/** An order whose search texts have parts of more than a thousand characters. */
const orderOf = (poNumber: string, rows: number) => {
  const [line] = snapshot().lines;
  const lines = Array.from({ length: rows }, (_row, number) => ({
    ...line!,
    lineId: `${number}`,
    style: longText(2 * number),
    sku: longText(2 * number + 1),
    size: `${number}`,
  }));
  return revision(poNumber, 1, { lines });
};

const database = ordersDatabaseForTests();
let inventory: ReturnType<typeof inventoryOf>;
beforeAll(async () => {
  inventory = inventoryOf(database);
  // Creates the vendor, whose row the first order of a vendor locks until it is stored.
  await inventory.upsert(revision('FIRST'));
  await database.inspect(`
    CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF length(NEW.parts) > 1000 THEN PERFORM pg_sleep(${SECONDS}); END IF; RETURN NEW; END $$;
    CREATE TRIGGER slow BEFORE INSERT ON search_parts FOR EACH ROW EXECUTE FUNCTION slow()`);
});

test('an order of the maximum size with the longest texts is stored, although saving its search texts takes long', async () => {
  await inventory.upsert(orderOf('LARGEST', ROWS));
  expect(await inventory.rowOf('LARGEST')).toMatchObject({ version: 1, line_count: ROWS });
});

test('an order whose search texts take long is stored at the first attempt, also if others arrive with it', async () => {
  await Promise.all([
    inventory.upsert(revision('BEFORE')),
    inventory.upsert(orderOf('LARGE', 2_000)),
    inventory.upsert(revision('AFTER')),
  ]);
  expect(await inventory.rowOf('LARGE')).toMatchObject({ version: 1, line_count: 2_000 });
});

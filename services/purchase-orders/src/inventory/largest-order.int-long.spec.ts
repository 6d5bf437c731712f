import { expect, test } from '@jest/globals';
import { inventoryOf, revision } from '../fixtures/inventory.js';
import { snapshot } from '../fixtures/orders.js';
import { ordersDatabase } from '../fixtures/orders-database.js';

/** Longer than the statement timeout of smaller orders. */
const SECONDS = 6;
const ROWS = 5_000;
const IDEOGRAPHS = 20_000;

/** A text of 100 characters. Such texts have few parts in common. */
const longText = (number: number) =>
  String.fromCharCode(
    ...Array.from({ length: 100 }, (_, at) => 0x4e00 + ((number * 7_919 + at * at * 31) % IDEOGRAPHS)),
  );

test('an order of the maximum size with the longest texts is stored, although saving its search texts takes long', async () => {
  const database = await ordersDatabase();
  const inventory = inventoryOf(database);
  await database.inspect(`
    CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(${SECONDS}); RETURN NEW; END $$;
    CREATE TRIGGER slow BEFORE INSERT ON search_parts FOR EACH ROW EXECUTE FUNCTION slow()`);
  const [line] = snapshot().lines;
  const lines = Array.from({ length: ROWS }, (_row, number) => ({
    ...line!,
    lineId: `${number}`,
    style: longText(2 * number),
    sku: longText(2 * number + 1),
    size: `${number}`,
  }));
  await inventory.upsert(revision('LARGEST', 1, { lines }));
  expect(await inventory.rowOf('LARGEST')).toMatchObject({ version: 1, line_count: ROWS });
  await database.drop();
});

import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { callersFolder } from '../config.js';
import { readGeneratorOptions } from '../generator/options.js';
import { type Assortment, orderOf } from '../generator/orders.js';
import { runCommand } from './lifecycle.js';

/** `npm run generate -- --orders 1000 --out orders.ndjson`: orders as an inventory system sends them, one JSON object a line. */
async function main(): Promise<number> {
  const { out, ...assortment } = readGeneratorOptions(process.argv.slice(2), new Date());
  // A reader that has enough, as `| head`.
  process.stdout.on('error', () => process.exit(0));
  const to = out === null ? process.stdout : createWriteStream(resolve(callersFolder(), out));
  await pipeline(Readable.from(linesOf(assortment)), to);
  return 0;
}

function* linesOf(assortment: Assortment): Generator<string> {
  for (let index = 0; index < assortment.orders; index += 1) {
    yield `${JSON.stringify(orderOf(assortment, index))}\n`;
  }
}

await runCommand(main);

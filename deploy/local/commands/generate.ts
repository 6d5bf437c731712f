import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { callersFolder } from '../config.js';
import { type Assortment, orderOf } from '../generator/orders.js';
import { argumentsOf, wholeNumberOf } from '../option-values.js';
import { runCommand } from './lifecycle.js';

const MAX = { orders: 10_000_000, lines: 3_000, vendors: 10_000, seed: 2 ** 31 } as const;

/** `npm run generate -- --orders 1000 --out orders.ndjson`: writes orders as an inventory system sends them, one JSON object per line. */
async function main(): Promise<number> {
  const { values } = argumentsOf({
    options: {
      orders: { type: 'string', default: '1000' },
      lines: { type: 'string', default: '50' },
      vendors: { type: 'string', default: '500' },
      seed: { type: 'string', default: '1' },
      out: { type: 'string' },
    },
  });
  const valueOf = (name: keyof typeof MAX) => wholeNumberOf(name, values[name], { from: 1, to: MAX[name] });
  const assortment = {
    orders: valueOf('orders'),
    lines: valueOf('lines'),
    vendors: valueOf('vendors'),
    seed: valueOf('seed'),
    today: new Date().toISOString().slice(0, 10),
  };
  // The reader may close the pipe early, like `| head`.
  process.stdout.on('error', () => process.exit(0));
  const to = values.out === undefined ? process.stdout : createWriteStream(resolve(callersFolder(), values.out));
  await pipeline(Readable.from(linesOf(assortment)), to);
  return 0;
}

function* linesOf(assortment: Assortment): Generator<string> {
  for (let index = 0; index < assortment.orders; index += 1) {
    yield `${JSON.stringify(orderOf(assortment, index))}\n`;
  }
}

await runCommand(main);

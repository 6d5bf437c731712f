import { parseArgs } from 'node:util';
import { readGeneratorOptions } from '#local/generator/options.js';
import type { Assortment } from '#local/generator/orders.js';

export interface ExportsOptions {
  assortment: Assortment;
  /** Files of each kind, one after the other. */
  rounds: number;
}

/** Reads `--exports --orders 20000 --cells 24 --rounds 5`. Throws for what cannot be meant. */
export function readExportsOptions(args: string[]): ExportsOptions {
  const { values } = parseArgs({
    args,
    options: {
      exports: { type: 'boolean' },
      orders: { type: 'string', default: '20000' },
      cells: { type: 'string', default: '24' },
      rounds: { type: 'string', default: '5' },
    },
  });
  const rounds = Number(values.rounds);
  if (!(Number.isInteger(rounds) && rounds >= 1 && rounds <= 100)) {
    throw new Error(`--rounds takes a whole number from 1 to 100, not "${values.rounds}"`);
  }
  const made = ['--orders', values.orders, '--cells', values.cells];
  const { out: _out, ...assortment } = readGeneratorOptions(made, new Date());
  return { assortment, rounds };
}

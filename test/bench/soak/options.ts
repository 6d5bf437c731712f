import { parseArgs } from 'node:util';
import { readGeneratorOptions } from '#local/generator/options.js';
import type { Assortment } from '#local/generator/orders.js';
import { numberOf } from '#local/option-values.js';

export interface SoakOptions {
  minutes: number;
  /** Requests a second. */
  rate: number;
  assortment: Assortment;
}

/** Reads `--soak --minutes 10 --rate 200 --orders 20000`. Throws for what cannot be meant. */
export function readSoakOptions(args: string[]): SoakOptions {
  const { values } = parseArgs({
    args,
    options: {
      soak: { type: 'boolean' },
      minutes: { type: 'string', default: '10' },
      rate: { type: 'string', default: '200' },
      orders: { type: 'string', default: '20000' },
    },
  });
  const { out: _out, ...assortment } = readGeneratorOptions(['--orders', values.orders], new Date());
  return {
    // Below two minutes there are too few samples to tell growth.
    minutes: numberOf('minutes', values.minutes, { from: 2, to: 24 * 60 }),
    rate: numberOf('rate', values.rate, { from: 1, to: 5_000 }),
    assortment,
  };
}

import { parseArgs } from 'node:util';
import { readGeneratorOptions } from '#local/generator/options.js';
import type { Assortment } from '#local/generator/orders.js';

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
  const numberOf = (name: 'minutes' | 'rate', least: number, most: number) => {
    const value = Number(values[name]);
    if (value >= least && value <= most) return value;
    throw new Error(`--${name} takes a number from ${least} to ${most}, not "${values[name]}"`);
  };
  const { out: _out, ...assortment } = readGeneratorOptions(['--orders', values.orders], new Date());
  // Below two minutes there are too few samples to tell growth.
  return { minutes: numberOf('minutes', 2, 24 * 60), rate: numberOf('rate', 1, 5_000), assortment };
}

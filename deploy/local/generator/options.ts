import { CalendarDate } from '@po/contracts';
import { argumentsOf, wholeNumberOf } from '../option-values.js';
import type { Assortment } from './orders.js';

const WHOLE = { orders: 10_000_000, cells: 3_000, vendors: 10_000, seed: 2 ** 31 } as const;

/** What to generate, and the output file; without a file it is printed. */
export type GeneratorOptions = Assortment & { out: string | null };

/** Reads `--orders 100000 --cells 50 --vendors 500 --seed 1 --today 2026-11-22 --out orders.ndjson`. Throws, naming what is allowed. */
export function readGeneratorOptions(args: string[], now: Date): GeneratorOptions {
  const { values } = argumentsOf({
    args,
    options: {
      orders: { type: 'string', default: '1000' },
      cells: { type: 'string', default: '50' },
      vendors: { type: 'string', default: '500' },
      seed: { type: 'string', default: '1' },
      today: { type: 'string', default: now.toISOString().slice(0, 10) },
      out: { type: 'string' },
    },
  });
  const countOf = (name: keyof typeof WHOLE) => wholeNumberOf(name, values[name], { from: 1, to: WHOLE[name] });
  if (!CalendarDate.safeParse(values.today).success) {
    throw new Error(`--today takes a date as 2026-11-22, not "${values.today}"`);
  }
  const counts = { orders: countOf('orders'), cells: countOf('cells'), vendors: countOf('vendors') };
  return { ...counts, seed: countOf('seed'), today: values.today, out: values.out ?? null };
}

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { callersFolder } from '#local/config.js';
import { readGeneratorOptions } from '#local/generator/options.js';
import type { Assortment } from '#local/generator/orders.js';
import { choicesOf, wholeNumberOf, wholeNumbersOf } from '#local/option-values.js';

const PARTS = ['import', 'lists', 'writes', 'inbox', 'fan-out', 'rebuild'] as const;
type ScalePart = (typeof PARTS)[number];

export interface ScaleOptions {
  assortment: Assortment;
  /** What is measured, in the order of PARTS. */
  parts: readonly ScalePart[];
  connections: number[];
  /** Of each question and number of connections. */
  requests: number;
  /** The folder that the imported stack is left in. */
  keep: string | null;
  /** The folder of such a stack, of which a copy is measured. */
  prepared: string | null;
}

/** Reads `--scale --orders 20000 --only lists,writes --connections 1,16 --requests 60 --keep folder`. Throws for what cannot be meant. */
export function readScaleOptions(args: string[]): ScaleOptions {
  const { values } = parseArgs({
    args,
    options: {
      scale: { type: 'boolean' },
      orders: { type: 'string', default: '20000' },
      cells: { type: 'string', default: '50' },
      vendors: { type: 'string', default: '500' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string', default: PARTS.join(',') },
      connections: { type: 'string', default: '1,16' },
      requests: { type: 'string', default: '60' },
      keep: { type: 'string' },
      prepared: { type: 'string' },
    },
  });
  const { orders, cells, vendors, seed, keep, prepared } = values;
  const made = Object.entries({ orders, cells, vendors, seed }).flatMap(([name, value]) => [`--${name}`, value]);
  const { out: _out, ...assortment } = readGeneratorOptions(made, new Date());
  const parts = partsOf(values.only, prepared !== undefined);
  if (keep === '' || prepared === '') throw new Error('--keep and --prepared take a folder');
  if (keep !== undefined && prepared !== undefined) throw new Error('--keep and --prepared exclude each other');
  if (keep !== undefined && !parts.includes('import'))
    throw new Error('--keep keeps what is imported: --only lacks import');
  const folder = (path: string | undefined) => (path === undefined ? null : resolve(callersFolder(), path));
  return {
    ...{ assortment, parts },
    connections: wholeNumbersOf('connections', values.connections, { from: 1, to: 64 }),
    requests: wholeNumberOf('requests', values.requests, { from: 1, to: 10_000 }),
    ...{ keep: folder(keep), prepared: folder(prepared) },
  };
}

/** A prepared stack has its orders already. */
function partsOf(only: string, isPrepared: boolean): ScalePart[] {
  const parts = choicesOf('only', only, PARTS).filter((part) => !(isPrepared && part === 'import'));
  if (parts.length === 0) throw new Error('--only import measures nothing of a prepared stack');
  return parts;
}

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { callersFolder } from '#local/config.js';
import { readGeneratorOptions } from '#local/generator/options.js';
import type { Assortment } from '#local/generator/orders.js';

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

const isPart = (text: string): text is ScalePart => (PARTS as readonly string[]).includes(text);

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
  const numbers = (name: 'connections' | 'requests', most: number) => {
    const found = values[name].split(',').map(Number);
    if (found.every((each) => Number.isInteger(each) && each >= 1 && each <= most)) return found;
    throw new Error(`--${name} takes whole numbers from 1 to ${most}, not "${values[name]}"`);
  };
  const [requests = 60] = numbers('requests', 10_000);
  const parts = partsOf(values.only, prepared !== undefined);
  if (keep === '' || prepared === '') throw new Error('--keep and --prepared take a folder');
  if (keep !== undefined && prepared !== undefined) throw new Error('--keep and --prepared exclude each other');
  if (keep !== undefined && !parts.includes('import'))
    throw new Error('--keep keeps what is imported: --only lacks import');
  const folder = (path: string | undefined) => (path === undefined ? null : resolve(callersFolder(), path));
  return {
    ...{ assortment, parts, connections: numbers('connections', 64), requests },
    ...{ keep: folder(keep), prepared: folder(prepared) },
  };
}

/** A prepared stack has its orders already. */
function partsOf(only: string, isPrepared: boolean): ScalePart[] {
  const named = only.split(',');
  const unknown = named.find((part) => !isPart(part));
  if (unknown !== undefined) throw new Error(`--only takes ${PARTS.join(', ')}, separated by commas, not "${unknown}"`);
  const parts = PARTS.filter((part) => named.includes(part) && !(isPrepared && part === 'import'));
  if (parts.length === 0) throw new Error('--only import measures nothing of a prepared stack');
  return parts;
}

import { parseArgs } from 'node:util';
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
}

const isPart = (text: string): text is ScalePart => (PARTS as readonly string[]).includes(text);

/** Reads `--orders 20000 --only lists,writes --connections 1,16 --requests 60`. Throws for what cannot be meant. */
export function readScaleOptions(args: string[]): ScaleOptions {
  const { values } = parseArgs({
    args,
    options: {
      orders: { type: 'string', default: '20000' },
      cells: { type: 'string', default: '50' },
      vendors: { type: 'string', default: '500' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string', default: PARTS.join(',') },
      connections: { type: 'string', default: '1,16' },
      requests: { type: 'string', default: '60' },
    },
  });
  const { orders, cells, vendors, seed } = values;
  const made = Object.entries({ orders, cells, vendors, seed }).flatMap(([name, value]) => [`--${name}`, value]);
  const { out: _out, ...assortment } = readGeneratorOptions(made, new Date());
  const numbers = (name: 'connections' | 'requests', most: number) => {
    const found = values[name].split(',').map(Number);
    if (found.every((each) => Number.isInteger(each) && each >= 1 && each <= most)) return found;
    throw new Error(`--${name} takes whole numbers from 1 to ${most}, not "${values[name]}"`);
  };
  const [requests = 60] = numbers('requests', 10_000);
  return { assortment, parts: partsOf(values.only), connections: numbers('connections', 64), requests };
}

function partsOf(only: string): ScalePart[] {
  const named = only.split(',');
  const unknown = named.find((part) => !isPart(part));
  if (unknown !== undefined) throw new Error(`--only takes ${PARTS.join(', ')}, separated by commas, not "${unknown}"`);
  return PARTS.filter((part) => named.includes(part));
}

import type { INVENTORY_TYPES } from '@po/contracts';
import { type Vendor, styleOf, vendorOf } from './catalogue.js';
import { type Random, randomOf } from './random.js';

type Snapshot = (typeof INVENTORY_TYPES)['purchase-order.upserted']['_zod']['input'];
type Line = Snapshot['lines'][number];

export interface Assortment {
  orders: number;
  /** Average number of lines of an order; a line is a code in a style, color and size. */
  lines: number;
  vendors: number;
  /** The same seed produces the same orders. */
  seed: number;
  /** Date of the newest order, `YYYY-MM-DD`. */
  today: string;
}

const DAY_MS = 86_400_000;
/** Age of the oldest order. */
const DAYS = 720;
const FIRST_NUMBER = 4_600_000_000;
/** The first vendor's share of all orders. */
const LARGEST_SHARE = 0.1;
const BUYERS = 40;
const GIVEN = ['Dana', 'Marta', 'Jonas', 'Priya', 'Elif', '婷', '建国', '晓东', 'Noor', 'Tomás'] as const;
const FAMILY = ['Reyes', 'Lind', 'Weber', 'Nair', 'Kaya', '王', '李', '陈', 'Haddad', 'Silva'] as const;
const REMARKS = ['Fold on hanger', '单件入袋, 混色混码装箱', 'Carton max. 18 kg', '船样须于出货前 10 天寄出'] as const;

/** PO number of the order with this index, from 0. */
const numberOf = (index: number): string => `PO-${FIRST_NUMBER + index}`;

/** Vendor index of an order. The first vendor gets a tenth of all orders, the last ones a few each. */
function vendorIndexOf({ seed, vendors }: Assortment, index: number): number {
  const random = randomOf(seed, 2, index);
  if (vendors === 1 || random.next() < LARGEST_SHARE) return 0;
  return 1 + Math.floor((vendors - 1) * random.next() ** 1.5);
}

/** The order with this index as the inventory system sends its first revision. */
export function orderOf(assortment: Assortment, index: number): Snapshot {
  const { orders, seed, today } = assortment;
  const random = randomOf(seed, 3, index);
  const vendorIndex = vendorIndexOf(assortment, index);
  const vendor = vendorOf(vendorIndex);
  const poNumber = numberOf(index);
  const age = Math.round(DAYS * (1 - (index + 1) / orders));
  const ordered = Date.parse(today) - age * DAY_MS;
  const season = new Date(ordered).getUTCMonth() < 6 ? 'FW' : 'SS';
  return {
    poNumber,
    sourceRevision: 1,
    poDate: dateOf(ordered),
    xfd: dateOf(ordered + random.between(50, 130) * DAY_MS),
    vendor: { code: vendor.code, name: vendor.name },
    currency: random.next() < 0.9 ? 'USD' : 'CNY',
    factory: random.one(vendor.factories),
    season: `${season}${new Date(ordered).getUTCFullYear() % 100}`,
    brand: random.one(['Northwind', 'Maren', 'Kite & Co.', '青禾']),
    shipMode: random.one(['Sea', 'Sea', 'Sea', 'Air', 'Rail']),
    tradeTerm: 'FOB',
    paymentTerm: random.one(['TT 60 days', 'TT 30 days', 'LC at sight']),
    destination: random.one(['Rotterdam DC', 'Hamburg DC', 'Los Angeles DC', '上海仓']),
    buyer: buyerOf(random),
    ...(random.next() < 0.3 ? { remarks: random.one(REMARKS) } : {}),
    lines: linesOf(assortment, vendor, vendorIndex, poNumber, random),
  };
}

function buyerOf(random: Random): { name: string; email: string } {
  const index = random.between(0, BUYERS - 1);
  const name = `${GIVEN[index % GIVEN.length]} ${FAMILY[Math.floor(index / 4) % FAMILY.length]}`;
  return { name, email: `buyer${index + 1}@brand.example` };
}

/** Lines of the vendor's styles in all colors and sizes; their number is between 0.5 and 1.5 times the average. */
function linesOf(
  { lines: average, seed }: Assortment,
  vendor: Vendor,
  vendorIndex: number,
  poNumber: string,
  random: Random,
): Line[] {
  const wanted = random.between(Math.ceil(average / 2), average + Math.floor(average / 2));
  const first = random.between(0, 1_000);
  const lines: Line[] = [];
  for (let turn = 0; lines.length < wanted; turn += 1) {
    const { style, colors, sizes, cents } = styleOf(seed, vendorIndex, first + turn);
    // A vendor has thirty styles. A larger order repeats them in further fits.
    const fit = turn < 30 ? '' : `/${Math.floor(turn / 30) + 1}`;
    for (const color of colors) {
      for (const size of sizes) {
        if (lines.length === wanted) return lines;
        const code = `${style}${fit}-${color}`;
        lines.push({
          lineId: `${poNumber}-${lines.length + 1}`,
          code,
          style: `${style}${fit}`,
          color,
          size,
          sku: `${vendor.code}${style}${fit}${color}${size}`.replaceAll(/[-/]/g, ''),
          qty: 10 * random.between(2, 120),
          unitPrice: cents / 100,
        });
      }
    }
  }
  return lines;
}

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

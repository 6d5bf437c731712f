import type { components } from '@po/client';
import type { INVENTORY_TYPES } from '@po/contracts';
import { ARTICLES, type ArticleName, VENDORS, type VendorCode } from './catalogue.js';
import { DEMO_USERS, type DemoUserName } from './users.js';

type Upsert = (typeof INVENTORY_TYPES)['purchase-order.upserted']['_zod']['input'];

/** A change that a user makes to an order over HTTP. */
export type Step =
  | { by: DemoUserName; action: components['schemas']['TransitionRequest']['action']; comment?: string }
  | { by: DemoUserName; reply: { xfdDays?: number; factory?: string; comment?: string } }
  | { by: DemoUserName; quantity: { item: number; factor: number } }
  | { by: DemoUserName; price: { item: number; price: number } }
  | { by: DemoUserName; shipment: { container: string; tracking: string } };

export interface DemoOrder {
  snapshot: Upsert;
  steps: readonly Step[];
  /** Reason with which the inventory system cancels the order at the end. */
  cancelled?: string;
}

/** Returns the steps of an order for its vendor's and its buyer's user. */
export type Steps = (vendor: DemoUserName, buyer: DemoUserName) => readonly Step[];

export interface Plan {
  vendor: VendorCode;
  /** Pieces of each article. */
  articles: Partial<Record<ArticleName, number>>;
  season: string;
  brand: string;
  buyer: 'buyer' | 'buyer2';
  /** Days from today; negative is in the past. */
  poDate: number;
  xfd: number;
  shipMode?: string;
  remarks?: string;
  steps: Steps;
  cancelled?: string;
}

const DAY_MS = 86_400_000;
const FIRST_NUMBER = 4_500_018_201;
/** Common prefix of the PO numbers of demo orders. */
export const NUMBERS = `PO-${Math.floor(FIRST_NUMBER / 100)}`;

/** The UTC calendar date `days` from now. */
export const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Creates the demo orders with dates relative to today. */
export const demoOrders = (plans: readonly Plan[]): DemoOrder[] => plans.map(order);

function order(plan: Plan, index: number): DemoOrder {
  const vendor = VENDORS[plan.vendor];
  const { name, email } = DEMO_USERS[plan.buyer];
  const poNumber = `PO-${FIRST_NUMBER + index}`;
  const articles = Object.entries(plan.articles) as [ArticleName, number][];
  const lines = articles.flatMap(([article, pieces]) => linesOf(article, pieces));
  return {
    snapshot: {
      poNumber,
      sourceRevision: 1,
      poDate: inDays(plan.poDate),
      xfd: inDays(plan.xfd),
      vendor: { code: vendor.code, name: vendor.name },
      currency: 'USD',
      factory: vendor.factories[index % vendor.factories.length],
      season: plan.season,
      brand: plan.brand,
      shipMode: plan.shipMode ?? 'Sea',
      tradeTerm: 'FOB',
      paymentTerm: 'TT 60 days',
      destination: plan.buyer === 'buyer' ? 'Rotterdam DC' : 'Hamburg DC',
      buyer: { name, email },
      remarks: plan.remarks,
      lines: lines.map((line, position) => ({ lineId: `${poNumber}-${position + 1}`, ...line })),
    },
    steps: plan.steps(`vendor:${plan.vendor}`, plan.buyer),
    ...(plan.cancelled ? { cancelled: plan.cancelled } : {}),
  };
}

function linesOf(name: ArticleName, pieces: number): Omit<Upsert['lines'][number], 'lineId'>[] {
  const { style, colors, sizes, split, price } = ARTICLES[name];
  return colors.flatMap((color) =>
    sizes.map((size, index) => ({
      code: `${style}-${color}`,
      style,
      color,
      size,
      sku: `${style}-${color}-${size}`.replaceAll('-', ''),
      qty: Math.round((pieces * (split[index] ?? 0)) / 100),
      unitPrice: price,
    })),
  );
}

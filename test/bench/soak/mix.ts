import { rowHashOf } from '@po/purchase-orders/dist/inventory/row-hash.js';
import { type Assortment, orderOf } from '#local/generator/orders.js';
import { type Random, randomOf } from '#local/generator/random.js';
import type { Answer } from '../load/connection.js';
import { requestText } from '../load/requests.js';
import { Negotiations } from './negotiations.js';

/** Percent of each kind of request; they make a hundred. */
const SHARES = { 'GET one order': 55, 'list page': 20, search: 5, 'inbox and dashboard': 5, write: 15 } as const;
export type MixKind = keyof typeof SHARES;
export const MIX_KINDS = Object.keys(SHARES) as MixKind[];

/** Whom and what a mixed load needs: its orders, and tokens of buyers and, by code, of all vendors. */
export interface MixTarget {
  assortment: Assortment;
  buyers: readonly [string, ...string[]];
  vendors: Readonly<Record<string, string>>;
}

export interface MixedRequest {
  kind: MixKind;
  /** The whole HTTP/1.1 request. */
  text: string;
  /** Must be told how it was answered; null when it was not. */
  answered: (answer: Answer | null) => void;
}

const PAGE = 50;
const SORTS = ['id', 'vendor', 'poDate', 'xfDate', 'status', 'amount'] as const;
const TERMS = ['sage', '牛仔', 'KT-', 'NVY'] as const;
const OWN = ['/notifications?limit=20', '/dashboard/kpis', '/dashboard/recent-activity', '/me'] as const;
/** As many of the newest orders are written: few enough for each to go many rounds in one run. */
const NEGOTIATED = 1_000;

/** Draws what many users ask for at a time, the same again for the same seed and answers. */
export class Mix {
  private readonly random: Random;
  private readonly negotiations: Negotiations;

  constructor(private readonly target: MixTarget) {
    this.random = randomOf(target.assortment.seed, 4);
    this.negotiations = new Negotiations((index) => {
      const { poNumber, lines } = orderOf(target.assortment, index);
      return lines.map((cell) => rowHashOf(poNumber, cell));
    });
  }

  next(): MixedRequest {
    const kind = this.kind();
    switch (kind) {
      case 'GET one order':
        return this.read(kind, ...this.oneOrder());
      case 'list page':
        return this.read(kind, `/purchase-orders?${this.page()}`);
      case 'search':
        return this.read(kind, `/purchase-orders?search=${encodeURIComponent(this.term())}`);
      case 'inbox and dashboard':
        return this.read(kind, this.random.one(OWN));
      case 'write':
        return this.write();
      default:
        return kind satisfies never;
    }
  }

  private kind(): MixKind {
    let left = this.random.between(0, 99);
    const drawn = MIX_KINDS.find((kind) => (left -= SHARES[kind]) < 0);
    return drawn ?? 'GET one order';
  }

  private oneOrder(): [path: string, token: string] {
    const { poNumber, vendor } = orderOf(
      this.target.assortment,
      this.random.between(0, this.target.assortment.orders - 1),
    );
    const items = this.random.next() < 0.25 ? '?include=lineItems' : '';
    return [`/purchase-orders/${poNumber}${items}`, this.readerOf(vendor.code)];
  }

  private page(): URLSearchParams {
    const page = this.random.between(1, Math.ceil(this.target.assortment.orders / PAGE));
    return new URLSearchParams({ page: `${page}`, limit: `${PAGE}`, sortField: this.random.one(SORTS) });
  }

  private term(): string {
    return this.random.next() < 0.5 ? String(this.random.between(1_000, 9_999)) : this.random.one(TERMS);
  }

  private read(kind: MixKind, path: string, token = this.readerOf(this.anyVendor())): MixedRequest {
    return { kind, text: requestText('GET', `/api${path}`, token), answered: () => undefined };
  }

  private write(): MixedRequest {
    const { assortment } = this.target;
    const index = assortment.orders - this.random.between(1, Math.min(NEGOTIATED, assortment.orders));
    const next = this.negotiations.next(index);
    // Somebody is at this order: ask for another one.
    if (!next) return this.next();
    const { poNumber, vendor } = orderOf(assortment, index);
    const { by, method, path, body } = next.write;
    const token = by === 'buyer' ? this.random.one(this.target.buyers) : this.tokenOf(vendor.code);
    return {
      kind: 'write',
      text: requestText(method, `/api/purchase-orders/${poNumber}${path}`, token, body),
      answered: (answer) => next.done(answer?.status ?? 0, answer?.body.toString('utf8') ?? ''),
    };
  }

  /** A buyer or the vendor, who sees the orders of this vendor. */
  private readerOf(vendor: string): string {
    return this.random.next() < 0.5 ? this.random.one(this.target.buyers) : this.tokenOf(vendor);
  }

  private anyVendor(): string {
    const codes = Object.keys(this.target.vendors);
    return codes[this.random.between(0, codes.length - 1)] ?? '';
  }

  private tokenOf(vendor: string): string {
    const token = this.target.vendors[vendor];
    if (token === undefined) throw new Error(`there is no user of vendor ${vendor}`);
    return token;
  }
}

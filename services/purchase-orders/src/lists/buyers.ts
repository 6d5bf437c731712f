import type { Filters } from '@po/contracts';
import type { Access } from '../store/databases.js';
import { HAS_BUYER, BUYER_KEY } from './conditions.js';

type Buyer = Filters['buyers'][number];

/** The newest order of the buyer whose address sorts last; `before` can limit this to addresses before another one. */
const lastOrder = (before: string): string =>
  `SELECT ${BUYER_KEY} AS key, o.buyer_name AS name, o.buyer_email AS email FROM purchase_orders o
    WHERE ${HAS_BUYER} ${before} ORDER BY ${BUYER_KEY} DESC, o.id DESC LIMIT 1`;

// Walks the index from address to address, starting at the last. It reads one order per buyer, however many orders a buyer has.
export const BUYERS = `WITH RECURSIVE found AS (
      (${lastOrder('')})
      UNION ALL
      SELECT o.* FROM found f, LATERAL (${lastOrder(`AND ${BUYER_KEY} < f.key`)}) AS o
    )
    SELECT name, email FROM found ORDER BY lower(name) NULLS LAST, name, key`;

/** The buyers of all orders, sorted by name; a vendor gets none. */
export const buyersFor = ({ read, vendorCode }: Access): Promise<Buyer[]> =>
  vendorCode === null ? read<Buyer>('buyers', [], () => BUYERS) : Promise.resolve([]);

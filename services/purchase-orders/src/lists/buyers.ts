import type { Filters } from '@po/contracts';
import type { Access } from '../store/databases.js';
import { BOUGHT, BUYER_KEY } from './conditions.js';

type Buyer = Filters['buyers'][number];

/** The newest order of the buyer with the last address, or of the last one before another's. */
const lastOrder = (before: string): string =>
  `SELECT ${BUYER_KEY} AS key, o.buyer_name AS name, o.buyer_email AS email FROM purchase_orders o
    WHERE ${BOUGHT} ${before} ORDER BY ${BUYER_KEY} DESC, o.id DESC LIMIT 1`;

// From address to address in the index, from the last one on: one order of each buyer is read, however many they have.
export const BUYERS = {
  name: 'buyers',
  text: `WITH RECURSIVE found AS (
      (${lastOrder('')})
      UNION ALL
      SELECT o.* FROM found f, LATERAL (${lastOrder(`AND ${BUYER_KEY} < f.key`)}) AS o
    )
    SELECT name, email FROM found ORDER BY lower(name) NULLS LAST, name, key`,
};

/** The buyers of all orders by name; a vendor gets none. */
export const buyersFor = ({ database, scope, vendorCode }: Access): Promise<Buyer[]> =>
  vendorCode === null ? database.read<Buyer>(scope, BUYERS) : Promise.resolve([]);

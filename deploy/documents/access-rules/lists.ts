import type { Rule, Rules } from './rule.js';
import { MANY, OWN, everyone, lengthOf, read } from './verdicts.js';

const sumOf = (counts: object): number => Object.values(counts).reduce((sum: number, count: number) => sum + count, 0);
const rowsIn = (_body: never, text: string): number => text.trimEnd().split('\r\n').length - 1;
const totalOf = ({ pagination }: { pagination: { total: number } }): number => pagination.total;
const overdueOf = ({ overdueTotal }: { overdueTotal: number }): number => overdueTotal;
/** The e-mail address of the test's BUYER is the buyer of the order, so `buyer=me` shows it to the BUYER. */
const MINE: Rule['verdicts'] = { ...OWN, BUYER: 'shown' };

const order = '/purchase-orders';
const newest = 'sortField=id&sortDir=desc';

/** Rules for lists, exports and statistics of orders. */
export const LISTS: Rules = {
  listPurchaseOrders: [
    read(() => `${order}?${newest}&limit=100`, MANY, { countOrders: totalOf }),
    read(({ poRef }) => `${order}?search=${poRef}`, MANY, { part: 'searched', countOrders: totalOf }),
    read(({ vendorCode }) => `${order}?vendor=${vendorCode}`, MANY, { part: 'of a vendor', countOrders: totalOf }),
    read(({ buyerEmail }) => `${order}?buyer=${encodeURIComponent(buyerEmail)}`, MANY, {
      part: 'of a buyer',
      countOrders: totalOf,
    }),
    read(() => `${order}?buyer=me`, MINE, { part: 'of the caller', countOrders: totalOf }),
    read(({ poRef }) => `${order}?poRef=${poRef}`, MANY, { part: 'by number', countOrders: totalOf }),
  ],
  exportPurchaseOrders: [
    read(() => `/purchase-order-exports?level=orders&${newest}`, MANY, { countOrders: rowsIn }),
    read(({ poRef }) => `/purchase-order-exports?search=${poRef}`, MANY, { part: 'searched', countOrders: rowsIn }),
    read(({ vendorCode }) => `/purchase-order-exports?vendor=${vendorCode}`, MANY, {
      part: 'of a vendor',
      countOrders: rowsIn,
    }),
    read(({ buyerEmail }) => `/purchase-order-exports?buyer=${encodeURIComponent(buyerEmail)}`, MANY, {
      part: 'of a buyer',
      countOrders: rowsIn,
    }),
    read(() => '/purchase-order-exports?buyer=me', MINE, { part: 'of the caller', countOrders: rowsIn }),
    read(({ poRef }) => `/purchase-order-exports?poRef=${poRef}`, MANY, { part: 'by number', countOrders: rowsIn }),
  ],
  getKpis: [read(() => '/dashboard/kpis', MANY, { countOrders: sumOf, isCountOnly: true })],
  getRecentActivity: [read(() => '/dashboard/recent-activity', MANY, { countOrders: lengthOf })],
  getApprovals: [
    read(() => '/dashboard/approvals', MANY, {
      countOrders: ({ approved }: { approved: number }) => approved,
      isCountOnly: true,
      // The other vendor's order was not approved.
      part: 'of orders',
      state: 'Confirmed',
    }),
  ],
  getSchedule: [read(() => '/dashboard/schedule', MANY, { countOrders: overdueOf, isCountOnly: true })],
  getFilters: [
    read(() => '/po-filters', MANY, { countOrders: ({ vendors }: { vendors: string[] }) => vendors.length }),
  ],
  listAvailableActions: [read(() => '/lookups/actions?statusId=200&role=VENDOR', everyone('same'))],
};

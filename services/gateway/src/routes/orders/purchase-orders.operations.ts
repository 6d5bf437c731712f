import {
  DetailParameters,
  HeaderPatch,
  LinesPatch,
  ListParameters,
  PATTERNS,
  PoRefInAnyCase,
  TransitionRequest,
  TransitionsRequest,
  TransitionsResult,
} from '@po/contracts';
import type { PathParameter } from '../../http/parameters.js';
import { custom, proxied } from '../operation.js';

export const poRef: PathParameter = { schema: PoRefInAnyCase, refusal: 'PO_NOT_FOUND' };

export const executeTransitions = custom({
  tag: 'Purchase orders',
  summary: 'Moves up to 100 orders to another status, each as the single request would.',
  description:
    'Each item is a transaction of its own and ends as the single request would have ended, with `version` as its `If-Match`; the refusal ' +
    'of one touches no other. The answer is 200 with one result an item, in the order asked, however they ended. A body of another ' +
    'shape, in any item, is refused as a whole and nothing is done. An item without an answer in time has status 504: repeat the same ' +
    'body with its `idempotencyKey` as header, which answers what was done again and does what was not. `Idempotency-Replayed` says that ' +
    'all of it had been done before. Each item counts as one write against the limit of requests; a batch that does not fit is refused and counts as one.',
  method: 'POST',
  path: '/purchase-orders/transitions',
  body: TransitionsRequest,
  conditions: 'key',
  reply: TransitionsResult,
});

export const purchaseOrders = {
  listPurchaseOrders: proxied({
    tag: 'Purchase orders',
    summary: 'One page of the purchase orders that the caller may see, filtered and sorted.',
    description:
      'Filters narrow each other; one that matches nothing is an empty page. Ties are sorted by `id`. A vendor sees its own orders alone.',
    headers: ['link', 'x-total-count'],
    method: 'GET',
    path: '/purchase-orders',
    query: ListParameters,
    pattern: PATTERNS.list,
    payload: ({ query }) => query,
  }),

  getPurchaseOrder: proxied({
    tag: 'Purchase orders',
    summary: 'One purchase order, with what the caller may do with it now.',
    description:
      'The entity tag stands for business content: `sourceRevision`, `lastSyncedAt`, `isOverdue` and the name of a vendor may move under it.',
    method: 'GET',
    path: '/purchase-orders/:poRef',
    params: { poRef },
    query: DetailParameters,
    conditions: 'read',
    pattern: PATTERNS.detail,
    payload: ({ params, query }) => ({ ...params, includeLineItems: query.include !== undefined }),
  }),

  updatePurchaseOrder: proxied({
    tag: 'Purchase orders',
    summary: "Changes the vendor's reply to the order's header.",
    description:
      'For vendors, all or nothing. Reply fields can be written in New and In Revision, container and tracking number also from ' +
      'Confirmed to Shipped. What changes nothing is a 200 with the same version.',
    method: 'PATCH',
    path: '/purchase-orders/:poRef',
    params: { poRef },
    body: HeaderPatch,
    conditions: 'write',
    refusals: ['PO_NOT_EDITABLE', 'VALUE_OUT_OF_RANGE'],
    pattern: PATTERNS.updateHeader,
    orderedBy: 'poRef',
    payload: ({ params, body }) => ({ ...params, patch: body }),
  }),

  listLineItems: proxied({
    tag: 'Purchase orders',
    summary: "The order's items, each with its sizes.",
    description: 'In the order of the source. Its entity tag is that of the order.',
    method: 'GET',
    path: '/purchase-orders/:poRef/line-items',
    params: { poRef },
    conditions: 'read',
    pattern: PATTERNS.lineItems,
    payload: ({ params }) => params,
  }),

  updateLineItems: proxied({
    tag: 'Purchase orders',
    summary: "Changes the vendor's reply to quantities and prices, all or nothing.",
    description:
      'For vendors, in New and In Revision. A price holds for its whole item (code, style, color): one row of it is enough. ' +
      'Answers with all items.',
    method: 'PATCH',
    path: '/purchase-orders/:poRef/line-items',
    params: { poRef },
    body: LinesPatch,
    conditions: 'write',
    refusals: ['PO_NOT_EDITABLE', 'ROW_NOT_FOUND', 'VALUE_OUT_OF_RANGE'],
    pattern: PATTERNS.updateLines,
    orderedBy: 'poRef',
    payload: ({ params, body }) => ({ ...params, patch: body }),
  }),

  executeTransition: proxied({
    tag: 'Purchase orders',
    summary: 'Moves the order to another status.',
    description:
      'What is possible stands in `availableActions` of the order. Approving freezes the current values as agreed; the inventory ' +
      'system and other subscribers hear of every transition. A submission within the approval policy of its vendor is approved at once: ' +
      '`autoApproved` is true, and status and version are those after the approval.',
    method: 'POST',
    path: '/purchase-orders/:poRef/transition',
    params: { poRef },
    body: TransitionRequest,
    conditions: 'write',
    refusals: ['TRANSITION_NOT_ALLOWED', 'COMMENT_REQUIRED'],
    pattern: PATTERNS.transition,
    orderedBy: 'poRef',
    payload: ({ params, body }) => ({ ...params, request: body }),
  }),

  getDiff: proxied({
    tag: 'Purchase orders',
    summary: 'Where the order differs from what was ordered and from what was agreed.',
    description:
      'The dates, factories, quantities and prices whose current value is not the original or not the agreed one. A row that the source ' +
      'removed is told by its quantity, which is 0 now. The totals are those of the whole order; the agreed ones hold what was agreed of ' +
      'removed rows, too.',
    method: 'GET',
    path: '/purchase-orders/:poRef/diff',
    params: { poRef },
    conditions: 'read',
    pattern: PATTERNS.diff,
    payload: ({ params }) => params,
  }),

  getHistory: proxied({
    tag: 'Purchase orders',
    summary: "The order's transitions, newest first, each with what changed.",
    description:
      'Acts of the inventory system, and approvals by an approval policy, are among them, with the role `SYSTEM`.',
    method: 'GET',
    path: '/purchase-orders/:poRef/history',
    params: { poRef },
    pattern: PATTERNS.history,
    payload: ({ params }) => params,
  }),
};

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
  summary: 'Moves up to 100 orders to another status, each like a single request.',
  description:
    'Each item is its own transaction and gets the result of a single request, with `version` as its `If-Match`; a refused item does not ' +
    'affect the others. The response is 200 with one result per item, in the order of the request, even if items fail. If any item is ' +
    'malformed, the whole body is refused and nothing is done. An item without a result in time has status 504: repeat the same body ' +
    'with its `idempotencyKey` as header, which returns the results of completed items and executes the others. `Idempotency-Replayed` means ' +
    'that all items had been done before. Each item counts as one write of the rate limit. A batch larger than the ' +
    'limit counts as the whole limit. A batch larger than what is left of the minute is refused and counts as one.',
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
      'Orders must match all filters; without a match the page is empty. Ties are sorted by `id`. A vendor sees only its own orders.',
    headers: ['link', 'x-total-count'],
    method: 'GET',
    path: '/purchase-orders',
    query: ListParameters,
    pattern: PATTERNS.list,
    payload: ({ query }) => query,
  }),

  getPurchaseOrder: proxied({
    tag: 'Purchase orders',
    summary: 'One purchase order, including what the caller may do with it now.',
    description:
      "The entity tag covers business content only: `sourceRevision`, `lastSyncedAt`, `isOverdue`, `nextDue` and the vendor's name can change without it.",
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
      'Confirmed to Shipped. A request that changes nothing is answered with 200 and the same version.',
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
    description: 'In the order of the source. The entity tag is that of the purchase order.',
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
      'For vendors, in New and In Revision. A price applies to the whole item (code, style, color), so one row of the item is enough. ' +
      'Returns all items.',
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
      '`availableActions` of the order lists the possible actions. Approving freezes the current values as agreed. The inventory system ' +
      "and other subscribers receive every transition. A submission within its vendor's approval policy is approved immediately: " +
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
    summary: 'How the order differs from what was ordered and from what was agreed.',
    description:
      'Dates, factories, quantities and prices whose current value differs from the original or the agreed value. A row that the source ' +
      'removed is listed with its quantity, which is now 0. Totals cover the whole order; agreed totals include removed rows.',
    method: 'GET',
    path: '/purchase-orders/:poRef/diff',
    params: { poRef },
    conditions: 'read',
    pattern: PATTERNS.diff,
    payload: ({ params }) => params,
  }),

  getHistory: proxied({
    tag: 'Purchase orders',
    summary: "The order's transitions, newest first, each with its changes.",
    description:
      'Includes changes by the inventory system and approvals by an approval policy, with the role `SYSTEM`.',
    method: 'GET',
    path: '/purchase-orders/:poRef/history',
    params: { poRef },
    pattern: PATTERNS.history,
    payload: ({ params }) => params,
  }),
};

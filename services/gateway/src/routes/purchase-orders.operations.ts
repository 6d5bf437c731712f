import {
  DetailParameters,
  HeaderPatch,
  LinesPatch,
  ListParameters,
  PATTERNS,
  PoRefInAnyCase,
  TransitionRequest,
} from '@po/contracts';
import type { PathParameter } from '../http/parameters.js';
import { relayed } from './operation.js';

const poRef: PathParameter = { schema: PoRefInAnyCase, refusal: 'PO_NOT_FOUND' };

export const purchaseOrders = {
  listPurchaseOrders: relayed({
    tag: 'Purchase orders',
    summary: 'One page of the purchase orders that the caller may see, filtered and sorted.',
    method: 'GET',
    path: '/purchase-orders',
    query: ListParameters,
    pattern: PATTERNS.list,
    ask: ({ query }) => query,
  }),

  getPurchaseOrder: relayed({
    tag: 'Purchase orders',
    summary: 'One purchase order, with what the caller may do with it now.',
    method: 'GET',
    path: '/purchase-orders/:poRef',
    params: { poRef },
    query: DetailParameters,
    conditions: 'read',
    pattern: PATTERNS.detail,
    ask: ({ params, query }) => ({ ...params, includeLineItems: query.include !== undefined }),
  }),

  updatePurchaseOrder: relayed({
    tag: 'Purchase orders',
    summary: "Changes the vendor's reply to the order's header.",
    method: 'PATCH',
    path: '/purchase-orders/:poRef',
    params: { poRef },
    body: HeaderPatch,
    conditions: 'write',
    refusals: ['PO_NOT_EDITABLE', 'VALUE_OUT_OF_RANGE'],
    pattern: PATTERNS.updateHeader,
    orderedBy: 'poRef',
    ask: ({ params, body }) => ({ ...params, patch: body }),
  }),

  listLineItems: relayed({
    tag: 'Purchase orders',
    summary: "The order's items, each with its sizes.",
    method: 'GET',
    path: '/purchase-orders/:poRef/line-items',
    params: { poRef },
    conditions: 'read',
    pattern: PATTERNS.lineItems,
    ask: ({ params }) => params,
  }),

  updateLineItems: relayed({
    tag: 'Purchase orders',
    summary: "Changes the vendor's reply to quantities and prices, all or nothing.",
    method: 'PATCH',
    path: '/purchase-orders/:poRef/line-items',
    params: { poRef },
    body: LinesPatch,
    conditions: 'write',
    refusals: ['PO_NOT_EDITABLE', 'ROW_NOT_FOUND', 'VALUE_OUT_OF_RANGE'],
    pattern: PATTERNS.updateLines,
    orderedBy: 'poRef',
    ask: ({ params, body }) => ({ ...params, patch: body }),
  }),

  executeTransition: relayed({
    tag: 'Purchase orders',
    summary: 'Moves the order to another status.',
    method: 'POST',
    path: '/purchase-orders/:poRef/transition',
    params: { poRef },
    body: TransitionRequest,
    conditions: 'write',
    refusals: ['TRANSITION_NOT_ALLOWED', 'COMMENT_REQUIRED'],
    pattern: PATTERNS.transition,
    orderedBy: 'poRef',
    ask: ({ params, body }) => ({ ...params, request: body }),
  }),

  getHistory: relayed({
    tag: 'Purchase orders',
    summary: "The order's transitions, newest first, each with what changed.",
    method: 'GET',
    path: '/purchase-orders/:poRef/history',
    params: { poRef },
    pattern: PATTERNS.history,
    ask: ({ params }) => params,
  }),
};

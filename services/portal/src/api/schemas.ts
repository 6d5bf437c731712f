import type { components, operations } from '@po/client';

type Schemas = components['schemas'];

export type OrderSummary = Schemas['PurchaseOrderSummary'];
export type OrderList = Schemas['PurchaseOrderList'];
export type OrderDetail = Schemas['PurchaseOrderDetail'];
export type LineItem = Schemas['LineItem'];

/** Filters, sorting and page of the list of orders, as the API names them. */
export type OrdersQuery = NonNullable<operations['listPurchaseOrders']['parameters']['query']>;

/** What can be done to an order. */
export type Action = Schemas['TransitionRequest']['action'];
export type AvailableAction = Schemas['AvailableAction'];

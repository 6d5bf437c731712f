import type { components, operations } from '@po/client';

type Schemas = components['schemas'];

export type ReminderRule = Schemas['NextDue']['rule'];
export type OrderSummary = Schemas['PurchaseOrderSummary'];
export type OrderList = Schemas['PurchaseOrderList'];
export type OrderDetail = Schemas['PurchaseOrderDetail'];
export type Kpis = Schemas['Kpis'];
export type Preferences = Schemas['Preferences'];
export type StatusDetails = Schemas['StatusDetails'];
export type Schedule = Schemas['Schedule'];
export type Activity = Schemas['Activity'];
export type LineItem = Schemas['LineItem'];
export type View = Schemas['View'];
export type ViewRequest = Schemas['ViewRequest'];

/** Filters, sorting and page of the list of orders, by their API names. */
export type OrdersQuery = NonNullable<operations['listPurchaseOrders']['parameters']['query']>;

export type Notification = Schemas['Notification'];
export type InboxPart = 'all' | 'unread' | 'messages' | 'reminders';

export type Message = Schemas['Message'];
export type MessageRow = Schemas['MessageRow'];
export type Mention = Schemas['Mention'];
export type Participant = Schemas['Participant'];
export type Visibility = Message['visibility'];

export type Action = Schemas['TransitionRequest']['action'];
export type AvailableAction = Schemas['AvailableAction'];
/** An answer of the API, with the order version that it belongs to. */
export interface Versioned<T> {
  version: number;
  data: T;
}

export type OrderLines = Versioned<readonly LineItem[]>;

const ENTITY_TAG = /^"(\d+)"$/;

/** Throws if the answer has no version: later writes need one. */
export function versioned<T>({ data, response }: { data: T; response: Response }): Versioned<T> {
  const [, version] = ENTITY_TAG.exec(response.headers.get('etag') ?? '') ?? [];
  if (version === undefined) throw new Error(`${response.url} has no ETag`);
  return { version: Number(version), data };
}

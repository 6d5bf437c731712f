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

/** Filters, sorting and page of the list of orders, as the API names them. */
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
/** What the API answers about an order, and the version of it that it is true of. */
export interface Versioned<T> {
  version: number;
  data: T;
}

export type OrderLines = Versioned<readonly LineItem[]>;

const ENTITY_TAG = /^"(\d+)"$/;

/** Throws where the answer does not say its version: nothing could be saved on it. */
export function versioned<T>({ data, response }: { data: T; response: Response }): Versioned<T> {
  const [, version] = ENTITY_TAG.exec(response.headers.get('etag') ?? '') ?? [];
  if (version === undefined) throw new Error(`${response.url} has no ETag`);
  return { version: Number(version), data };
}

/** Characters of a comment, at most. */
export const MAX_COMMENT_LENGTH = 2000;

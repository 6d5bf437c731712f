import { type Activity, EVENT_TYPES, HEADERS, PurchaseOrderState, StatusChange, entryLabels } from '@po/contracts';
import { ContentError, type IncomingRecord, jsonOf } from '@po/messaging';
import { z } from 'zod';

// Accepts unknown names, so that additions in a newer order service do not dead-letter its orders.
const AnyStatusChange = StatusChange.extend({ action: z.string(), actorRole: z.string() });

/** Fields of a `po.state.v1` record that the dashboard reads. */
export const OrderState = PurchaseOrderState.pick({
  poRef: true,
  vendorCode: true,
  vendor: true,
  updatedAt: true,
}).extend({
  poVersion: z.int().nonnegative(),
  statusId: z.int().nonnegative(),
  recentActivity: z.array(AnyStatusChange),
});
export type OrderState = z.infer<typeof OrderState>;

/** A status change of this order as an entry of the feeds. */
export const activityOf = ({ poRef, vendor, vendorCode }: OrderState, change: OrderState['recentActivity'][number]) =>
  ({ ...change, ...entryLabels(change), poRef, poNumber: poRef, vendor, vendorCode }) satisfies {
    [Member in keyof Activity]: unknown;
  };

/** Why this order is invalid under this key, or null. */
export function misplaced(order: OrderState, key: string | null): string | null {
  return order.poRef === key ? null : `the key must be the order's poRef ${order.poRef}`;
}

/** Parses the order of a record that is read outside the event consumer. Throws ContentError if the consumer would dead-letter it. */
export function orderStateOf(record: IncomingRecord): OrderState {
  if (record.headers[HEADERS.cloudEventType] !== EVENT_TYPES.stateChanged) {
    throw new ContentError(`${HEADERS.cloudEventType} is not ${EVENT_TYPES.stateChanged}`);
  }
  const parsed = OrderState.safeParse(jsonOf(record));
  if (!parsed.success) throw new ContentError('the value does not fit its schema', { cause: parsed.error });
  const reason = misplaced(parsed.data, record.key?.toString('utf8') ?? null);
  if (reason) throw new ContentError(reason);
  return parsed.data;
}

import type { Kpis, LineItem, PurchaseOrderDetail, PurchaseOrderList } from '@po/contracts';
import { type Answer, type Api, apiClient } from '../api-client.js';
import { type Deed, type DemoOrder, NUMBERS, demoOrders, inDays } from './orders.js';
import { PLANS } from './plans.js';
import type { DemoUserName } from './users.js';
import { eventually } from '../eventually.js';
import { type InventoryMessage, sendToInventory, upserted } from '../inventory-feed.js';

const ARRIVAL_MS = 30_000;

type As = (user: DemoUserName) => Api;

/**
 * Loads the demo orders as real ones come: by the inventory topic, then moved on by their vendors and buyers over HTTP. Does nothing
 * where they all are already; an order that somebody moved on stays as it is.
 */
export async function loadDemo(options: {
  kafkaBrokers: string;
  gatewayUrl: string;
  tokens: Partial<Record<DemoUserName, string>>;
}): Promise<void> {
  const as: As = (user) => apiClient(options.gatewayUrl, options.tokens[user]);
  const orders = demoOrders(PLANS);
  const { pagination } = ok(await as('admin').get<PurchaseOrderList>(`/purchase-orders?search=${NUMBERS}&limit=1`));
  if (pagination.total >= orders.length) return;
  await sendToInventory(
    options.kafkaBrokers,
    orders.map(({ snapshot }) => upserted(snapshot)),
  );
  await Promise.all(orders.map((order) => live(order, as)));
  const withdrawn = orders.filter(({ cancelled }) => cancelled !== undefined);
  await sendToInventory(options.kafkaBrokers, withdrawn.map(cancellation));
  await eventually(
    'the dashboard counts the demo orders',
    async () => {
      const { cancelled, ...others } = ok(await as('admin').get<Kpis>('/dashboard/kpis'));
      const total = Object.values(others).reduce((sum, count) => sum + count, cancelled);
      return total >= orders.length && cancelled >= withdrawn.length;
    },
    { timeoutMs: ARRIVAL_MS },
  );
}

const cancellation = ({ snapshot: { poNumber }, cancelled }: DemoOrder): InventoryMessage => ({
  type: 'purchase-order.cancelled',
  poNumber,
  value: JSON.stringify({ poNumber, sourceRevision: 2, reason: cancelled }),
});

async function live({ snapshot: { poNumber }, deeds }: DemoOrder, as: As): Promise<void> {
  const path = `/purchase-orders/${poNumber}`;
  const { version } = await eventually(
    `${poNumber} arrives`,
    async () => {
      const answer = await as('admin').get<PurchaseOrderDetail>(path);
      return answer.status === 200 && answer.body;
    },
    { timeoutMs: ARRIVAL_MS },
  );
  // A load that was interrupted leaves orders half way: they stay as they are.
  if (version !== 1) return;
  for (const deed of deeds) ok(await perform(deed, path, as(deed.by)));
}

async function perform(deed: Deed, path: string, api: Api): Promise<Answer<unknown>> {
  if ('action' in deed) return api.post(`${path}/transition`, { action: deed.action, comment: deed.comment });
  if ('shipment' in deed) {
    const { container, tracking } = deed.shipment;
    return api.patch(path, { container_number: container, tracking_number: tracking });
  }
  if ('reply' in deed) {
    const { xfdDays, factory, comment } = deed.reply;
    return api.patch(path, {
      vendor_reply_xfd: xfdDays === undefined ? undefined : inDays(xfdDays),
      vendor_reply_factory: factory,
      vendor_reply_comment: comment,
    });
  }
  const items = ok(await api.get<LineItem[]>(`${path}/line-items`));
  const sizes = (item: number) => Object.values(items[item]?.sizes ?? {});
  if ('quantity' in deed) {
    const { item, factor } = deed.quantity;
    const lines = sizes(item).map(({ rowHash, originalQty }) => ({
      rowHash,
      vendorReplyQty: Math.round(originalQty * factor),
    }));
    return api.patch(`${path}/line-items`, { lines });
  }
  const { item, price } = deed.price;
  const lines = sizes(item)
    .slice(0, 1)
    .map(({ rowHash }) => ({ rowHash, vendorReplyUnitPrice: price }));
  return api.patch(`${path}/line-items`, { lines });
}

function ok<T>({ status, body, text }: Answer<T>): T {
  if (status !== 200) throw new Error(`a demo order could not be loaded: the API answered ${status}: ${text}`);
  return body;
}

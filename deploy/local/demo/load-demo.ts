import { ApiProblem, type PurchaseOrderClient, createClient } from '@po/client';
import { type PurchaseOrderSummary, STATUS } from '@po/contracts';
import { type Step, type DemoOrder, NUMBERS, demoOrders, inDays } from './orders.js';
import { PLANS } from './plans.js';
import { DEMO_USERS, type DemoUserName } from './users.js';
import { eventually } from '@po/testing/eventually';
import { type InventoryMessage, sendToInventory, upsertMessage } from '../inventory-feed.js';

const ARRIVAL_MS = 30_000;

const PARTNERS = (Object.keys(DEMO_USERS) as DemoUserName[]).filter((user) =>
  ['BUYER', 'VENDOR'].includes(DEMO_USERS[user].role),
);

type As = (user: DemoUserName) => PurchaseOrderClient;

/**
 * Loads the demo orders like real ones: through the inventory topic, followed by transitions of vendors and buyers over HTTP. Does
 * nothing if an earlier load has finished, and does not touch an order that was changed since.
 */
export async function loadDemo(options: {
  kafkaBrokers: string;
  gatewayUrl: string;
  tokens: Partial<Record<DemoUserName, string>>;
}): Promise<void> {
  const baseUrl = `${options.gatewayUrl}/api`;
  // Without If-Match, because vendor and buyer change the order in turns without reading it again.
  const as: As = (user) => createClient({ baseUrl, token: options.tokens[user] ?? '', ifMatch: false });
  const orders = demoOrders(PLANS);
  const query = { search: NUMBERS, limit: 200 };
  const { data: present } = await as('admin').GET('/purchase-orders', { params: { query } });
  if (isLoaded(orders, present.data)) return;
  await Promise.all(PARTNERS.map((user) => enableImmediateMail(as(user))));
  await sendToInventory(
    options.kafkaBrokers,
    orders.map(({ snapshot }) => upsertMessage(snapshot)),
  );
  await Promise.all(orders.map((order) => performSteps(order, as)));
  const withdrawn = orders.filter(({ cancelled }) => cancelled !== undefined);
  await sendToInventory(options.kafkaBrokers, withdrawn.map(cancellation));
  await eventually(
    'the dashboard counts the demo orders',
    async () => {
      const { data } = await as('admin').GET('/dashboard/kpis');
      const { cancelled, ...others } = data;
      const total = Object.values(others).reduce((sum, count) => sum + count, cancelled);
      return total >= orders.length && cancelled >= withdrawn.length;
    },
    { timeoutMs: ARRIVAL_MS },
  );
}

/** Whether every demo order exists, and none waits for its first step or for its cancellation, as after an interrupted load. */
export function isLoaded(
  orders: readonly DemoOrder[],
  present: readonly Pick<PurchaseOrderSummary, 'poNumber' | 'version' | 'statusId'>[],
): boolean {
  const byNumber = new Map(present.map((order) => [order.poNumber, order]));
  return orders.every(({ snapshot, steps, cancelled }) => {
    const { version = 0, statusId } = byNumber.get(snapshot.poNumber) ?? {};
    const isCancelled = cancelled === undefined || statusId === STATUS.CANCELLED;
    return version > (steps.length > 0 ? 1 : 0) && isCancelled;
  });
}

/** Enables immediate mails, so that the mail page is not empty until the next morning's digest. */
async function enableImmediateMail(api: PurchaseOrderClient): Promise<void> {
  const { data: preferences } = await api.GET('/me/preferences');
  const mail = { ...preferences.mail, TRANSITION: 'now' } as const;
  await api.PUT('/me/preferences', { body: { ...preferences, mail } });
}

const cancellation = ({ snapshot: { poNumber }, cancelled }: DemoOrder): InventoryMessage => ({
  type: 'purchase-order.cancelled',
  poNumber,
  value: JSON.stringify({ poNumber, sourceRevision: 2, reason: cancelled }),
});

async function performSteps({ snapshot: { poNumber }, steps }: DemoOrder, as: As): Promise<void> {
  const order = { params: { path: { poRef: poNumber } } };
  const { version } = await eventually(`${poNumber} arrives`, () => found(as('admin'), order), {
    timeoutMs: ARRIVAL_MS,
  });
  // Orders that an interrupted load left half way stay as they are.
  if (version !== 1) return;
  for (const step of steps) await perform(step, order, as(step.by));
}

interface OrderPath {
  params: { path: { poRef: string } };
}

async function found(api: PurchaseOrderClient, order: OrderPath) {
  try {
    return (await api.GET('/purchase-orders/{poRef}', order)).data;
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'PO_NOT_FOUND') return false;
    throw error;
  }
}

async function perform(step: Step, order: OrderPath, api: PurchaseOrderClient): Promise<void> {
  if ('action' in step) {
    const { action, comment } = step;
    await api.POST('/purchase-orders/{poRef}/transition', { ...order, body: { action, comment } });
    return;
  }
  if ('shipment' in step) {
    const { container, tracking } = step.shipment;
    const body = { container_number: container, tracking_number: tracking };
    await api.PATCH('/purchase-orders/{poRef}', { ...order, body });
    return;
  }
  if ('reply' in step) {
    const { xfdDays, factory, comment } = step.reply;
    const body = {
      vendor_reply_xfd: xfdDays === undefined ? undefined : inDays(xfdDays),
      vendor_reply_factory: factory,
      vendor_reply_comment: comment,
    };
    await api.PATCH('/purchase-orders/{poRef}', { ...order, body });
    return;
  }
  const { data: items } = await api.GET('/purchase-orders/{poRef}/line-items', order);
  const sizes = (item: number) => Object.values(items[item]?.sizes ?? {});
  const lines =
    'quantity' in step
      ? sizes(step.quantity.item).map(({ rowHash, originalQty }) => ({
          rowHash,
          vendorReplyQty: Math.round(originalQty * step.quantity.factor),
        }))
      : sizes(step.price.item)
          .slice(0, 1)
          .map(({ rowHash }) => ({ rowHash, vendorReplyUnitPrice: step.price.price }));
  await api.PATCH('/purchase-orders/{poRef}/line-items', { ...order, body: { lines } });
}

import type { LineItem, PurchaseOrderList, PurchaseOrderSummary } from '@po/contracts';
import type { DemoOrder } from '../../deploy/local/demo/orders.js';
import { type World, act, linesOf } from '../e2e/world.js';
import type { DemoUser } from '../support/stack.js';
import type { LedgerEntry } from './consumer.js';

/** One step of a user over HTTP. */
export type Step = () => Promise<unknown>;

const TEN_THOUSAND = 10_000n;

/** Steps of vendors and buyers on an order. */
export function userSteps(world: World) {
  const buyer = world.as('buyer');
  const vendorOf = ({ snapshot }: DemoOrder) => world.as(`vendor:${snapshot.vendor.code}` as DemoUser);
  const answered = (order: DemoOrder, fewer: number): Step[] => [
    async () => {
      const path = `/purchase-orders/${order.snapshot.poNumber}/line-items`;
      const [item] = await linesOf(buyer, order.snapshot.poNumber);
      const lines = Object.values(item?.sizes ?? {}).map(({ rowHash, originalQty }) => ({
        rowHash,
        vendorReplyQty: originalQty - fewer,
      }));
      const { status, text } = await vendorOf(order).patch(path, { lines });
      if (status !== 200) throw new Error(text);
    },
    () => act(vendorOf(order), order.snapshot.poNumber, 'SUBMIT'),
  ];
  const agreed = (order: DemoOrder, fewer: number): Step[] => [
    ...answered(order, fewer),
    () => act(buyer, order.snapshot.poNumber, 'APPROVE'),
  ];
  const produced =
    (order: DemoOrder): Step =>
    () =>
      act(vendorOf(order), order.snapshot.poNumber, 'MOVE_TO_PRODUCTION');
  const recalled =
    (order: DemoOrder): Step =>
    () =>
      act(buyer, order.snapshot.poNumber, 'RECALL');
  const cancelled =
    (order: DemoOrder): Step =>
    () =>
      act(buyer, order.snapshot.poNumber, 'CANCEL');
  return { agreed, produced, recalled, cancelled };
}

/** Entries that a ledger must have, without versions: a vendor reply raises the version without a transition. */
export type ExpectedLedger = Record<string, Omit<LedgerEntry, 'poVersion'>>;

/** Returns the entries that follow from the answers of the API. */
export async function expectedLedger(world: World): Promise<ExpectedLedger> {
  const { data } = (await world.as('admin').get<PurchaseOrderList>('/purchase-orders?limit=200')).body;
  return Object.fromEntries(await Promise.all(data.map((order) => entryOf(world, order))));
}

async function entryOf(
  world: World,
  { poRef, statusId, currency }: PurchaseOrderSummary,
): Promise<[string, ExpectedLedger[string]]> {
  const agreed = (await linesOf(world.as('admin'), poRef)).flatMap(agreedCells);
  const sum = agreed.reduce((total, { qty, price }) => total + BigInt(qty) * BigInt(Math.round(price * 10_000)), 0n);
  const amount = `${sum / TEN_THOUSAND}.${String(sum % TEN_THOUSAND).padStart(4, '0')}`;
  return [poRef, { statusId, currency, agreed: agreed.length === 0 ? null : amount }];
}

const agreedCells = ({ sizes, agreedUnitPrice: price }: LineItem): { qty: number; price: number }[] =>
  Object.values(sizes).flatMap(({ agreedQty: qty }) => (qty === null || price === null ? [] : [{ qty, price }]));

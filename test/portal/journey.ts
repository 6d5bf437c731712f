import type { Page } from 'playwright-core';
import { type Snapshot, type World, detailOf, historyOf, linesOf } from '../e2e/world.js';
import { BOLT } from './orders-list.js';

/** The buyer of these orders, who is notified about them. */
export const BUYER = 'buyer2';
const bought = { buyer: { name: 'Marta Lind', email: 'buyer2@example.com' } };

/** Imports an order of this vendor: TS-100 in navy (10 S, 20 M, 30 L) and red (5 M) at 12.5, from Ningbo 2 on 1 March 2027. */
export const importFor = (world: World, code: 'ACME' | 'BOLT'): Promise<Snapshot> =>
  world.importOrder({ ...bought, ...(code === 'BOLT' && BOLT) });

export const head = (page: Page) => page.locator('#content header').first();
export const dialog = (page: Page) => page.getByRole('dialog');
/** Waits until the open order is in this status. */
export const waitForStatus = (page: Page, status: string): Promise<void> =>
  head(page).getByText(status, { exact: true }).waitFor();
/** Labels of the action buttons of the open order. */
export const offeredActions = (page: Page): Promise<string[]> => head(page).getByRole('button').allInnerTexts();

/** The outcome of an order in the API: agreed values, and each step with its comment. */
export async function lifeOf(world: World, poRef: string) {
  const api = world.as('admin');
  const { status, agreedXfd, agreedFactory, containerNumber, availableActions } = await detailOf(api, poRef);
  const [navy, red] = await linesOf(api, poRef);
  const history = (await historyOf(api, poRef)).toReversed();
  return {
    status,
    agreedXfd,
    agreedFactory,
    containerNumber,
    actions: availableActions.length,
    agreed: [navy?.sizes.S?.agreedQty, navy?.sizes.M?.agreedQty, navy?.sizes.L?.agreedQty, red?.sizes.M?.agreedQty],
    steps: history.map(({ actorRole, action, toStatus, comment }) =>
      [actorRole, action, toStatus, comment].filter((part) => part !== null).join(', '),
    ),
  };
}

/** The expected `lifeOf` a delivered order with the vendor's reply. */
export const delivered = (reply: string, decision: string): Awaited<ReturnType<typeof lifeOf>> => ({
  status: 'Delivered',
  agreedXfd: '2027-03-15',
  agreedFactory: 'Hefei 9',
  containerNumber: 'MSKU 1234567',
  agreed: [10, 24, 30, 5],
  actions: 0,
  steps: [
    'SYSTEM, IMPORT, New',
    `VENDOR, SUBMIT, Pending Approval, ${reply}`,
    `BUYER, APPROVE, Confirmed, ${decision}`,
    'VENDOR, MOVE_TO_PRODUCTION, In Production',
    'VENDOR, MARK_SHIPPED, Shipped',
    'BUYER, CONFIRM_DELIVERY, Delivered',
  ],
});

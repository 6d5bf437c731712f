import type { Violation } from '../faults/oracle/evidence.js';
import type { Order } from '../faults/orders.js';
import { POLICIES } from '../faults/policies.js';
import type { World } from '../faults/world.js';

const VENDOR = 'ACME';
/** Paths that vendors may not read. */
const ADMINISTRATION = ['/mail/suppressions', '/approval-policies', '/approval-policies/:name/history'];
const readersOf = (path: string) =>
  ADMINISTRATION.includes(path) ? (['admin'] as const) : (['acme', 'buyer'] as const);
const MESSAGE = ':messageId';
/** Parameters for all paths. Each path ignores the parameters of the others. */
const QUERY = 'statusId=100&role=VENDOR&include=lineItems';

/** Reads these paths at both gateways, as a vendor and as a buyer, or as an administrator if others may not. Returns failed reads. */
export async function readEverything(world: World, paths: readonly string[]): Promise<Violation[]> {
  const orders = [...world.orders.values()].filter(
    ({ snapshot, version }) => snapshot.vendor.code === VENDOR && version > 0,
  );
  const [order] = orders;
  if (!order) return [`there is no order of ${VENDOR} to be read`];
  const [policy] = Object.keys(POLICIES);
  const message = paths.some((path) => path.includes(MESSAGE)) ? await messageOf(world, orders) : null;
  const calls = [0, 1].flatMap((gateway) =>
    paths.flatMap((path) => readersOf(path).map((user) => ({ gateway, user, path }))),
  );
  const answers = await Promise.all(
    calls.map(async ({ gateway, user, path }) => {
      const url = path.includes(MESSAGE) ? message : filled(path, order.snapshot.poNumber, policy);
      // There is no message yet.
      if (!url) return [];
      const answer = await world.call(gateway, user, { method: 'GET', path: `${url}?${QUERY}` });
      const got = answer instanceof Error ? answer.message : `${answer.status} ${JSON.stringify(answer.body)}`;
      return got.startsWith('200 ') ? [] : [`GET ${url} by ${user} at gateway ${gateway} is ${got}`];
    }),
  );
  return answers.flat();
}

const filled = (path: string, poNumber: string, policy = ''): string =>
  path.replace(':poRef', poNumber).replace(':name', policy);

/** Path of a message that both sides may see; null if there is none. */
async function messageOf(world: World, orders: readonly Order[]): Promise<string | null> {
  for (const { snapshot } of orders) {
    const path = `/purchase-orders/${snapshot.poNumber}/messages`;
    const answer = await world.call(0, 'acme', { method: 'GET', path });
    const [newest] = answer instanceof Error || answer.status !== 200 ? [] : (answer.body as { id: string }[]);
    if (newest) return `${path}/${newest.id}`;
  }
  return null;
}

import type { Violation } from '../faults/oracle/evidence.js';
import type { World } from '../faults/world.js';

const VENDOR = 'ACME';
/** What vendors may not read. */
const ADMINISTRATION = ['/mail/suppressions', '/approval-policies', '/approval-policies/:name/history'];
const readersOf = (path: string) =>
  ADMINISTRATION.includes(path) ? (['admin'] as const) : (['acme', 'buyer'] as const);
/** What one of them needs the others leave out. */
const QUERY = 'statusId=100&role=VENDOR&include=lineItems';

/** Asks both gateways for these paths, as a vendor and as a buyer, or as an administrator; answers what they did not get. */
export async function readEverything(world: World, paths: readonly string[]): Promise<Violation[]> {
  const order = [...world.orders.values()].find(
    ({ snapshot, version }) => snapshot.vendor.code === VENDOR && version > 0,
  );
  if (!order) return [`there is no order of ${VENDOR} to be read`];
  const calls = [0, 1].flatMap((gateway) =>
    paths.flatMap((path) => readersOf(path).map((user) => ({ gateway, user, path }))),
  );
  const answers = await Promise.all(
    calls.map(async ({ gateway, user, path }) => {
      const asked = `${path.replace(':poRef', order.snapshot.poNumber)}?${QUERY}`;
      const answer = await world.call(gateway, user, { method: 'GET', path: asked });
      const got = answer instanceof Error ? answer.message : `${answer.status} ${JSON.stringify(answer.body)}`;
      return got.startsWith('200 ') ? [] : [`GET ${asked} by ${user} at gateway ${gateway} is ${got}`];
    }),
  );
  return answers.flat();
}

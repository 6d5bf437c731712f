import { eventually } from '@po/testing/eventually';
import { databaseOf } from '../database.js';
import { rowsOf } from '../../support/rows.js';
import { type Violation, kpisOf } from '../oracle/evidence.js';
import type { Answer, Call } from '../http.js';
import type { UserName } from '../users.js';
import type { World } from '../world.js';

const NOTICED_MS = 12_000;
const READS = ['/purchase-orders?limit=5', '/notifications?limit=5', '/me', '/po-filters'];

async function answered(world: World, gateway: number, user: UserName, call: Call): Promise<Answer> {
  const answer = await world.call(gateway, user, call);
  if (answer instanceof Error) throw new Error(`${call.method} ${call.path} got no answer: ${answer.message}`);
  return answer;
}

// Without Kafka requests are refused with Retry-After; requests that were already sent may end in 504.
async function withoutKafka(world: World): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const gateway of [0, 1]) {
    await eventually(
      `gateway ${gateway} refuses reads and writes with 503 while Kafka is down`,
      async () => {
        const path = '/purchase-orders/NONE';
        const read = await answered(world, gateway, 'buyer', { method: 'GET', path });
        const write = await answered(world, gateway, 'buyer', {
          method: 'POST',
          path: `${path}/transition`,
          body: { action: 'APPROVE' },
        });
        for (const { status, headers } of [read, write]) {
          if (status !== 503 && status !== 504) violations.push(`gateway ${gateway} answers ${status} without Kafka`);
          if (status === 503 && !headers.get('retry-after'))
            violations.push(`gateway ${gateway}: 503 without Retry-After`);
        }
        return read.status === 503 && write.status === 503;
      },
      { timeoutMs: NOTICED_MS + 20_000 },
    );
  }
  return violations;
}

// Only dashboards use Redis. Without it they come from SQL.
async function withoutRedis(world: World): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const gateway of [0, 1]) {
    for (const path of READS) {
      const { status } = await answered(world, gateway, 'buyer', { method: 'GET', path });
      if (status !== 200) violations.push(`GET ${path} at gateway ${gateway} is ${status} without Redis`);
    }
    await eventually(
      `gateway ${gateway} shows the counts of the tables without Redis`,
      async () => {
        const { status, body } = await answered(world, gateway, 'buyer', { method: 'GET', path: '/dashboard/kpis' });
        if (status !== 200) violations.push(`GET /dashboard/kpis at gateway ${gateway} is ${status} without Redis`);
        const sql = 'SELECT status_id AS "statusId" FROM purchase_orders';
        const expected = kpisOf(await rowsOf<{ statusId: number }>(databaseOf(world, 'purchaseOrders'), sql));
        return JSON.stringify(body) === JSON.stringify(expected);
      },
      { timeoutMs: NOTICED_MS },
    );
  }
  return violations;
}

/** Checks what users see while a store is down. */
export const behaviourWithout = { kafka: withoutKafka, redis: withoutRedis };

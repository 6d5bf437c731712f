import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PurchaseOrderDetail } from '@po/contracts';
import type { DemoOrder } from '../../deploy/local/demo/orders.js';
import { EXAMPLES } from '../../deploy/local/example-messages.js';
import { run } from '../../deploy/local/processes/run.js';
import type { World } from '../e2e/world.js';
import { eventually } from '@po/testing/eventually';

const PROGRAM = join(EXAMPLES, 'producers/typescript/send-orders.ts');

/** Sends orders with the example producer. `send` rejects with the output of the producer if it fails. */
export function inventorySystem(world: World, { folder, kafkaBrokers }: { folder: string; kafkaBrokers: string }) {
  const send = async (values: readonly unknown[], brokers = kafkaBrokers): Promise<void> => {
    const file = join(folder, 'orders.ndjson');
    await writeFile(file, values.map((value) => `${JSON.stringify(value)}\n`).join(''));
    await run(process.execPath, ['--no-warnings', PROGRAM, file], { env: { ...process.env, KAFKA_BROKERS: brokers } });
  };

  /** Resolves with the orders once the service has applied this revision. */
  const applied = (orders: readonly DemoOrder[], sourceRevision: number): Promise<PurchaseOrderDetail[]> =>
    Promise.all(
      orders.map(({ snapshot: { poNumber } }) =>
        eventually(`revision ${sourceRevision} of ${poNumber} is applied`, async () => {
          const answer = await world.as('admin').get<PurchaseOrderDetail>(`/purchase-orders/${poNumber}`);
          return answer.status === 200 && answer.body.sourceRevision === sourceRevision && answer.body;
        }),
      ),
    );

  return { send, applied };
}

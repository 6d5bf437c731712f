import { asRole } from '@po/testing/service-databases';
import { runCommand } from './lifecycle.js';
import { runJob } from './repair-job.js';
import { runningStack } from '../stack/running-stack.js';

/** `npm run republish -- <poRef>… | --all | --restored`: the job of the purchase-order service, on the database of the stack that runs here. */
async function main(): Promise<number> {
  // The role of the service: it writes no more than the service itself may.
  const url = asRole(runningStack().databaseUrls.purchaseOrders, 'po_internal');
  return runJob('services/purchase-orders/dist/republish/republish.js', process.argv.slice(2), {
    DATABASE_URL_INTERNAL: url,
  });
}

await runCommand(main);

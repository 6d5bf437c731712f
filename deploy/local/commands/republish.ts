import { asRole } from '@po/testing/service-databases';
import { runCommand } from './lifecycle.js';
import { runJob } from './repair-job.js';
import { runningStack } from '../stack/running-stack.js';

/** `npm run republish -- <poRef>… | --all | --restored`: runs the job of purchase-orders on the database of the local stack. */
async function main(): Promise<number> {
  // Uses the role of the service, so that the job has the same write permissions.
  const url = asRole(runningStack().databaseUrls.purchaseOrders, 'po_internal');
  return runJob('services/purchase-orders/dist/republish/republish.js', process.argv.slice(2), {
    DATABASE_URL_INTERNAL: url,
  });
}

await runCommand(main);

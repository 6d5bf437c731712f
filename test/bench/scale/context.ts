import { createLogger } from '@po/platform';
import { Databases } from '@po/purchase-orders/dist/store/databases.js';
import { asRole } from '#local/stores/databases.js';
import { demoToken } from '#local/stack/identity-provider.js';
import { loadKeys } from '#local/stack/keys.js';
import type { StackFile } from '#local/stack/stack-file.js';
import type { OpenStack } from '../open-stack.js';
import type { Settlement } from '../settlement.js';
import type { ScaleOptions } from './options.js';

/** What every part measures with: a stack whose orders are there, and who asks it. */
export interface ScaleContext {
  stack: StackFile;
  settlement: Settlement;
  options: ScaleOptions;
  buyerToken: string;
  /** A token of a vendor's user. */
  vendorToken: (vendorCode: string, sub?: string) => Promise<string>;
}

/** Reads the keys of the stack, with which it makes tokens. */
export async function scaleContext(
  { folder, stack, settlement }: OpenStack,
  options: ScaleOptions,
): Promise<ScaleContext> {
  const { identity: key } = await loadKeys(folder);
  const { issuer, audience } = stack;
  return {
    ...{ stack, settlement, options },
    buyerToken: await demoToken({ key, issuer, audience }, 'buyer'),
    vendorToken: (vendor_code, sub = `bench-${vendor_code}`) =>
      demoToken({ key, issuer, audience }, 'vendor:ACME', { sub, vendor_code }),
  };
}

/** The order service's own pools, of one connection each, while `run` runs. */
export async function withOrders<T>({ stack }: ScaleContext, run: (databases: Databases) => Promise<T>): Promise<T> {
  const url = stack.databaseUrls.purchaseOrders;
  const urls = { internalUrl: asRole(url, 'po_internal'), vendorUrl: asRole(url, 'po_vendor') };
  const databases = new Databases({ ...urls, poolSize: 1, logger: createLogger('bench', 'warn') });
  await databases.connect();
  return run(databases).finally(() => databases.close());
}

import { createLogger } from '@po/platform';
import { Databases } from '@po/purchase-orders/dist/store/databases.js';
import { asRole } from '@po/testing/service-databases';
import type { StackFile } from '#local/stack/stack-file.js';
import type { OpenStack } from '../open-stack.js';
import type { Settlement } from '../settlement.js';
import { type VendorTokens, vendorTokensOf } from '../vendor-tokens.js';
import type { ScaleOptions } from './options.js';

/** What every part measures with: a stack whose orders are there, and who asks it. */
export interface ScaleContext {
  stack: StackFile;
  settlement: Settlement;
  options: ScaleOptions;
  buyerToken: string;
  vendorToken: VendorTokens;
}

/** Of a stack whose orders are there. */
export async function scaleContext(opened: OpenStack, options: ScaleOptions): Promise<ScaleContext> {
  const { stack, settlement } = opened;
  const vendorToken = await vendorTokensOf(opened);
  return { stack, settlement, options, buyerToken: stack.tokens.buyer ?? '', vendorToken };
}

/** The order service's own pools, of one connection each, while `run` runs. */
export async function withOrders<T>({ stack }: ScaleContext, run: (databases: Databases) => Promise<T>): Promise<T> {
  const url = stack.databaseUrls.purchaseOrders;
  const urls = { internalUrl: asRole(url, 'po_internal'), vendorUrl: asRole(url, 'po_vendor') };
  const databases = new Databases({ ...urls, poolSize: 1, logger: createLogger('bench', 'warn') });
  await databases.connect();
  return run(databases).finally(() => databases.close());
}

import { vendorOf } from '#local/generator/catalogue.js';
import type { Assortment } from '#local/generator/orders.js';
import type { RunningStack } from '../stack-process.js';
import { vendorTokensOf } from '../vendor-tokens.js';
import type { MixTarget } from './mix.js';

/** The orders, and tokens of two buyers and of a user of every vendor. */
export async function targetOf(running: RunningStack, assortment: Assortment): Promise<MixTarget> {
  const { buyer = '', buyer2 = '' } = running.stack.tokens;
  const vendorToken = await vendorTokensOf(running);
  const codes = Array.from({ length: assortment.vendors }, (_, index) => vendorOf(index).code);
  const vendors = await Promise.all(codes.map(async (code) => [code, await vendorToken(code)] as const));
  return { assortment, buyers: [buyer, buyer2], vendors: Object.fromEntries(vendors) };
}

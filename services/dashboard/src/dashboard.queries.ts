import { Injectable } from '@nestjs/common';
import { type Actor, PATTERNS, ProblemError, type RpcPattern } from '@po/contracts';
import { KafkaRpcClient, type Reply, type RpcContext, ok } from '@po/messaging';
import { childTraceparent } from '@po/platform';
import { Availability } from './availability.js';
import { Counters } from './projection/counters.js';
import { fallbacks } from './metrics.js';

@Injectable()
export class DashboardQueries {
  constructor(
    private readonly counters: Counters,
    private readonly availability: Availability,
    private readonly purchaseOrders: KafkaRpcClient,
  ) {}

  /** Orders per status in the caller's scope. */
  kpis(context: RpcContext): Promise<Reply> {
    return this.answer(PATTERNS.statusCounts, context, (vendorCode) => this.counters.kpis(vendorCode));
  }

  /** The last 20 status changes in the caller's scope, newest first. */
  recentActivity(context: RpcContext): Promise<Reply> {
    return this.answer(PATTERNS.latestActivity, context, (vendorCode) => this.counters.recentActivity(vendorCode));
  }

  // From Redis, or while that is away or holds no finished projection, from the purchase-order service as the caller.
  private async answer(
    pattern: RpcPattern,
    context: RpcContext,
    read: (vendorCode: string | null) => Promise<unknown>,
  ): Promise<Reply> {
    const vendorCode = scopeOf(context.actor);
    const body = await this.availability.run(() => read(vendorCode)).catch(() => null);
    if (body !== null) return ok(body);
    fallbacks.inc();
    const { actorToken, requestId, locale, path } = context;
    const traceparent = childTraceparent(context.traceparent);
    return this.purchaseOrders.request(pattern, {}, { actorToken, requestId, traceparent, locale, path });
  }
}

/** The vendor whose orders the caller may see, or null for all. */
export function scopeOf({ role, vendorCode }: Actor): string | null {
  switch (role) {
    case 'VENDOR':
      if (vendorCode === null) throw new ProblemError('VENDOR_NOT_LINKED');
      return vendorCode;
    case 'BUYER':
    case 'ADMIN':
    case 'VIEWER':
      return null;
    default:
      throw new Error(`unknown role ${String(role satisfies never)}`);
  }
}

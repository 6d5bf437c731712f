import { Injectable } from '@nestjs/common';
import { type Activity, type Kpis, type NoParameters, PATTERNS, type RpcPattern, vendorScopeOf } from '@po/contracts';
import { SerializedJson, KafkaRpcClient, type Reply, type RpcContext } from '@po/messaging';
import { Breaker } from '@po/redis';
import { Counter } from 'prom-client';
import type { z } from 'zod';
import { Counters } from './projection/counters.js';

const fallbacks = new Counter({
  name: 'dashboard_fallback_total',
  help: 'Requests answered by the order service because Redis could not answer',
});

@Injectable()
export class DashboardQueries {
  constructor(
    private readonly counters: Counters,
    private readonly breaker: Breaker,
    private readonly purchaseOrders: KafkaRpcClient,
  ) {}

  /** Orders per status in the caller's scope. */
  kpis(context: RpcContext): Promise<Reply<Kpis>> {
    return this.answer(PATTERNS.statusCounts, context, (vendorCode) => this.counters.kpis(vendorCode));
  }

  /** The last 20 status changes in the caller's scope, newest first. */
  recentActivity(context: RpcContext): Promise<Reply<Activity[]>> {
    return this.answer(PATTERNS.latestActivity, context, async (vendorCode) => {
      const entries = await this.counters.recentActivity(vendorCode);
      return entries === null ? null : new SerializedJson(entries);
    });
  }

  // Answers from Redis. Without Redis or a finished projection, asks the order service as the caller.
  private async answer<Body>(
    pattern: RpcPattern<typeof NoParameters, z.ZodType<Body>>,
    context: RpcContext,
    read: (vendorCode: string | null) => Promise<Body | SerializedJson | null>,
  ): Promise<Reply<Body>> {
    const vendorCode = vendorScopeOf(context.actor);
    const body = await this.breaker.run(() => read(vendorCode)).catch(() => null);
    if (body !== null) return { status: 200, headers: {}, body };
    fallbacks.inc();
    const { requestId, traceparent, locale, path } = context;
    const request = { actorToken: () => context.actorToken, requestId, traceparent, locale, path };
    const { status, headers, body: answered } = await this.purchaseOrders.request(pattern, {}, request);
    return { status, headers, body: new SerializedJson(answered) };
  }
}

import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { EVENT_TYPES, PATTERNS } from '@po/contracts';
import type { EventContext, Reply, RpcContext } from '@po/messaging';
import { DashboardQueries } from './dashboard.queries.js';
import { DashboardService } from './dashboard.service.js';
import type { OrderState } from './projection/order-state.js';

@Controller()
export class DashboardController {
  constructor(
    private readonly queries: DashboardQueries,
    private readonly dashboard: DashboardService,
  ) {}

  @MessagePattern(PATTERNS.kpis.type)
  kpis(@Ctx() context: RpcContext): Promise<Reply> {
    return this.queries.kpis(context);
  }

  @MessagePattern(PATTERNS.recentActivity.type)
  recentActivity(@Ctx() context: RpcContext): Promise<Reply> {
    return this.queries.recentActivity(context);
  }

  @EventPattern<string>(EVENT_TYPES.stateChanged)
  stateChanged(@Payload() order: OrderState, @Ctx() context: EventContext): Promise<void> {
    return this.dashboard.stateChanged(order, context);
  }
}

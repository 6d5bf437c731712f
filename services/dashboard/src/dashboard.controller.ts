import { Controller } from '@nestjs/common';
import { type Activity, EVENT_TYPES, type Kpis, type NoParameters, PATTERNS } from '@po/contracts';
import { HandleEvent, RequestPattern, type EventContext, type Reply, type RpcContext } from '@po/messaging';
import { DashboardQueries } from './dashboard.queries.js';
import { DashboardService } from './dashboard.service.js';
import type { OrderState } from './projection/order-state.js';
import { EVENTS } from './subscriptions.js';

@Controller()
export class DashboardController {
  constructor(
    private readonly queries: DashboardQueries,
    private readonly dashboard: DashboardService,
  ) {}

  @RequestPattern(PATTERNS.kpis)
  kpis(_query: NoParameters, context: RpcContext): Promise<Reply<Kpis>> {
    return this.queries.kpis(context);
  }

  @RequestPattern(PATTERNS.recentActivity)
  recentActivity(_query: NoParameters, context: RpcContext): Promise<Reply<Activity[]>> {
    return this.queries.recentActivity(context);
  }

  @HandleEvent(EVENTS, EVENT_TYPES.stateChanged)
  stateChanged(order: OrderState, context: EventContext): Promise<void> {
    return this.dashboard.stateChanged(order, context);
  }
}

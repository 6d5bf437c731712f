import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import {
  type ActionsQuery,
  type DetailQuery,
  type ExecuteTransition,
  type ListQuery,
  type NoParameters,
  type OrderQuery,
  PATTERNS,
  type UpdateHeader,
  type UpdateLines,
} from '@po/contracts';
import type { Reply, RpcContext } from '@po/messaging';
import { ActivityQueries } from './activity.queries.js';
import { LookupsQueries } from './lookups.queries.js';
import { PurchaseOrdersQueries } from './purchase-orders.queries.js';
import { PurchaseOrdersService } from './purchase-orders.service.js';

/** Every request of the gateway (and of the dashboard) to this service. */
@Controller()
export class PurchaseOrdersController {
  constructor(
    private readonly orders: PurchaseOrdersService,
    private readonly queries: PurchaseOrdersQueries,
    private readonly activity: ActivityQueries,
    private readonly lookups: LookupsQueries,
  ) {}

  @MessagePattern(PATTERNS.updateHeader.type)
  updateHeader(@Payload() command: UpdateHeader, @Ctx() context: RpcContext): Promise<Reply> {
    return this.orders.updateHeader(command, context);
  }

  @MessagePattern(PATTERNS.updateLines.type)
  updateLines(@Payload() command: UpdateLines, @Ctx() context: RpcContext): Promise<Reply> {
    return this.orders.updateLines(command, context);
  }

  @MessagePattern(PATTERNS.transition.type)
  transition(@Payload() command: ExecuteTransition, @Ctx() context: RpcContext): Promise<Reply> {
    return this.orders.transition(command, context);
  }

  @MessagePattern(PATTERNS.list.type)
  list(@Payload() query: ListQuery, @Ctx() context: RpcContext): Promise<Reply> {
    return this.queries.list(query, context);
  }

  @MessagePattern(PATTERNS.detail.type)
  detail(@Payload() query: DetailQuery, @Ctx() context: RpcContext): Promise<Reply> {
    return this.queries.detail(query, context);
  }

  @MessagePattern(PATTERNS.lineItems.type)
  lineItems(@Payload() query: OrderQuery, @Ctx() context: RpcContext): Promise<Reply> {
    return this.queries.lineItems(query, context);
  }

  @MessagePattern(PATTERNS.history.type)
  history(@Payload() query: OrderQuery, @Ctx() context: RpcContext): Promise<Reply> {
    return this.queries.history(query, context);
  }

  @MessagePattern(PATTERNS.statusCounts.type)
  statusCounts(@Payload() query: NoParameters, @Ctx() context: RpcContext): Promise<Reply> {
    return this.activity.statusCounts(query, context);
  }

  @MessagePattern(PATTERNS.latestActivity.type)
  latestActivity(@Payload() query: NoParameters, @Ctx() context: RpcContext): Promise<Reply> {
    return this.activity.latestActivity(query, context);
  }

  @MessagePattern(PATTERNS.actions.type)
  actions(@Payload() query: ActionsQuery): Reply {
    return this.lookups.actions(query);
  }

  @MessagePattern(PATTERNS.filters.type)
  filters(@Payload() query: NoParameters, @Ctx() context: RpcContext): Promise<Reply> {
    return this.lookups.filters(query, context);
  }

  @MessagePattern(PATTERNS.profile.type)
  profile(@Payload() query: NoParameters, @Ctx() context: RpcContext): Promise<Reply> {
    return this.lookups.profile(query, context);
  }
}

import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { EVENT_TYPES, type MarkRead, type NotificationsQuery, PATTERNS, type UserSeen } from '@po/contracts';
import type { EventContext, Reply, RpcContext } from '@po/messaging';
import { FanOutService } from './fan-out/fan-out.service.js';
import { NotificationsQueries } from './inbox/notifications.queries.js';
import { NotificationsService } from './inbox/notifications.service.js';
import type { Transition } from './store/transition.entity.js';
import { UsersService } from './fan-out/users.service.js';

@Controller()
export class NotificationsController {
  constructor(
    private readonly queries: NotificationsQueries,
    private readonly notifications: NotificationsService,
    private readonly fanOut: FanOutService,
    private readonly users: UsersService,
  ) {}

  @MessagePattern(PATTERNS.notifications.type)
  list(@Payload() query: NotificationsQuery, @Ctx() { actor }: RpcContext): Promise<Reply> {
    return this.queries.list(actor, query);
  }

  @MessagePattern(PATTERNS.unreadCount.type)
  unreadCount(@Ctx() { actor }: RpcContext): Promise<Reply> {
    return this.queries.unreadCount(actor);
  }

  @MessagePattern(PATTERNS.markRead.type)
  markRead(@Payload() command: MarkRead, @Ctx() { actor, commandId }: RpcContext): Promise<Reply> {
    return this.notifications.markRead(actor, command, commandId);
  }

  @EventPattern<string>(EVENT_TYPES.transitioned)
  transitioned(@Payload() event: Transition, @Ctx() { traceparent }: EventContext): Promise<void> {
    return this.fanOut.transitioned(event, traceparent);
  }

  @EventPattern<string>(EVENT_TYPES.userSeen)
  userSeen(@Payload() user: UserSeen): Promise<void> {
    return this.users.seen(user);
  }
}

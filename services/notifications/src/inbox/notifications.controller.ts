import { Controller } from '@nestjs/common';
import {
  type MarkRead,
  type MarkedRead,
  type NoParameters,
  type Notification,
  type NotificationsQuery,
  type NotificationsSince,
  type NotificationsSinceQuery,
  PATTERNS,
  type ReadMark,
  type ReadMarksQuery,
  type UnreadCount,
} from '@po/contracts';
import { RequestPattern, type Reply, type RpcContext } from '@po/messaging';
import { NotificationsQueries } from './notifications.queries.js';
import { NotificationsService } from './notifications.service.js';

@Controller()
export class NotificationsController {
  constructor(
    private readonly queries: NotificationsQueries,
    private readonly notifications: NotificationsService,
  ) {}

  @RequestPattern(PATTERNS.notifications)
  list(query: NotificationsQuery, { actor }: RpcContext): Promise<Reply<Notification[]>> {
    return this.queries.list(actor, query);
  }

  @RequestPattern(PATTERNS.notificationsSince)
  since(query: NotificationsSinceQuery, { actor }: RpcContext): Promise<Reply<NotificationsSince>> {
    return this.queries.since(actor, query);
  }

  @RequestPattern(PATTERNS.unreadCount)
  unreadCount(_query: NoParameters, { actor }: RpcContext): Promise<Reply<UnreadCount>> {
    return this.queries.unreadCount(actor);
  }

  @RequestPattern(PATTERNS.markRead)
  markRead(command: MarkRead, context: RpcContext): Promise<Reply<MarkedRead>> {
    return this.notifications.markRead(command, context);
  }

  @RequestPattern(PATTERNS.readMarks)
  readMarks(query: ReadMarksQuery): Promise<Reply<ReadMark[]>> {
    return this.queries.readMarks(query);
  }
}

import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import {
  type DeleteUser,
  EVENT_TYPES,
  type MarkRead,
  type MarkedRead,
  type NoParameters,
  type Notification,
  type NotificationsQuery,
  type NotificationsSince,
  type NotificationsSinceQuery,
  PATTERNS,
  type Preferences,
  type ReadMark,
  type ReadMarksQuery,
  type UnreadCount,
  type Unsubscription,
  type UserDeleted,
  type UserSeen,
} from '@po/contracts';
import { RequestPattern, type EventContext, type Reply, type RpcContext, cloudEventTime } from '@po/messaging';
import { FanOutService } from './fan-out/fan-out.service.js';
import { NotificationsQueries } from './inbox/notifications.queries.js';
import { NotificationsService } from './inbox/notifications.service.js';
import type { MessagePosted, ReminderDue, Transition } from './fan-out/events.js';
import { PreferencesService } from './preferences/preferences.service.js';
import { UserDirectory } from './users/user-directory.service.js';

@Controller()
export class NotificationsController {
  constructor(
    private readonly queries: NotificationsQueries,
    private readonly notifications: NotificationsService,
    private readonly fanOut: FanOutService,
    private readonly users: UserDirectory,
    private readonly preferences: PreferencesService,
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

  @RequestPattern(PATTERNS.preferences)
  getPreferences(_query: NoParameters, { actor }: RpcContext): Promise<Reply<Preferences>> {
    return this.preferences.get(actor);
  }

  @RequestPattern(PATTERNS.replacePreferences)
  replacePreferences(chosen: Preferences, context: RpcContext): Promise<Reply<Preferences>> {
    return this.preferences.replace(chosen, context);
  }

  @RequestPattern(PATTERNS.turnOffMail)
  turnOffMail(command: Unsubscription, context: RpcContext): Promise<Reply<never>> {
    return this.preferences.turnOff(command, context);
  }

  @RequestPattern(PATTERNS.readMarks)
  readMarks(query: ReadMarksQuery): Promise<Reply<ReadMark[]>> {
    return this.queries.readMarks(query);
  }

  @RequestPattern(PATTERNS.deleteUser)
  deleteUser(command: DeleteUser, context: RpcContext): Promise<Reply<UserDeleted>> {
    return this.users.delete(command, context);
  }

  @EventPattern<string>(EVENT_TYPES.transitioned)
  transitioned(@Payload() event: Transition, @Ctx() { traceparent }: EventContext): Promise<void> {
    return this.fanOut.transitioned(event, traceparent);
  }

  @EventPattern<string>(EVENT_TYPES.reminderDue)
  reminderDue(@Payload() event: ReminderDue, @Ctx() { headers, traceparent }: EventContext): Promise<void> {
    // A date alone does not show whether a user was deleted before or after the reminder.
    return this.fanOut.reminderDue(event, cloudEventTime(headers) ?? `${event.dueOn}T00:00:00.000Z`, traceparent);
  }

  @EventPattern<string>(EVENT_TYPES.messagePosted)
  messagePosted(@Payload() event: MessagePosted, @Ctx() { traceparent }: EventContext): Promise<void> {
    return this.fanOut.messagePosted(event, traceparent);
  }

  @EventPattern<string>(EVENT_TYPES.userSeen)
  userSeen(@Payload() user: UserSeen): Promise<void> {
    return this.users.seen(user);
  }

  @EventPattern<string>(EVENT_TYPES.userDeleted)
  userDeleted(@Payload() user: UserDeleted): Promise<void> {
    return this.users.deleted(user);
  }
}

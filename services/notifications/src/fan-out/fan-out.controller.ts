import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { EVENT_TYPES } from '@po/contracts';
import { type EventContext, cloudEventTime } from '@po/messaging';
import type { MessagePosted, ReminderDue, Transition } from './events.js';
import { FanOutService } from './fan-out.service.js';

@Controller()
export class FanOutController {
  constructor(private readonly fanOut: FanOutService) {}

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
}

import { Controller } from '@nestjs/common';
import { EVENT_TYPES } from '@po/contracts';
import { type EventContext, HandleEvent, cloudEventTime } from '@po/messaging';
import { type MessagePosted, ORDER_EVENTS, type ReminderDue, type Transition } from './events.js';
import { FanOutService } from './fan-out.service.js';

@Controller()
export class FanOutController {
  constructor(private readonly fanOut: FanOutService) {}

  @HandleEvent(ORDER_EVENTS, EVENT_TYPES.transitioned)
  transitioned(event: Transition, { traceparent }: EventContext): Promise<void> {
    return this.fanOut.transitioned(event, traceparent);
  }

  @HandleEvent(ORDER_EVENTS, EVENT_TYPES.reminderDue)
  reminderDue(event: ReminderDue, { headers, traceparent }: EventContext): Promise<void> {
    // A date alone does not show whether a user was deleted before or after the reminder.
    return this.fanOut.reminderDue(event, cloudEventTime(headers) ?? `${event.dueOn}T00:00:00.000Z`, traceparent);
  }

  @HandleEvent(ORDER_EVENTS, EVENT_TYPES.messagePosted)
  messagePosted(event: MessagePosted, { traceparent }: EventContext): Promise<void> {
    return this.fanOut.messagePosted(event, traceparent);
  }
}

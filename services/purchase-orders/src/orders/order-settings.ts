import type { BusinessCalendar } from '../domain/reminders/business-calendar.js';
import type { CommentRequirements } from '../domain/workflow.js';

/** Settings that answers about orders depend on. A class, so that it can be injected. */
export class OrderSettings {
  constructor(
    readonly commentRequired: CommentRequirements,
    readonly calendar: BusinessCalendar,
  ) {}
}

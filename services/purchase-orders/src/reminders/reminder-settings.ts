import { hash } from 'node:crypto';
import type { Config } from '../config.js';
import { BusinessCalendar } from '../domain/reminders/business-calendar.js';
import type { ReminderSettings } from '../domain/reminders/reminders.js';

type ReminderVariables = Pick<
  Config,
  Extract<keyof Config, `REMINDER_${string}`> | 'BUSINESS_HOLIDAYS' | 'BUSINESS_TIME_ZONE' | 'REMIND_AT'
>;

/** Builds the reminder settings of the domain rules from the configuration. */
export function reminderSettingsOf(config: ReminderVariables): ReminderSettings {
  const { BUSINESS_HOLIDAYS: holidays, BUSINESS_TIME_ZONE: timeZone, REMIND_AT: remindAt } = config;
  const repetitions = {
    REPLY_DUE: config.REMINDER_REPLY_DUE,
    APPROVAL_DUE: config.REMINDER_APPROVAL_DUE,
    EX_FACTORY_SOON: config.REMINDER_EX_FACTORY_SOON,
    EX_FACTORY_OVERDUE: config.REMINDER_EX_FACTORY_OVERDUE,
    DELIVERY_DUE: config.REMINDER_DELIVERY_DUE,
  };
  const settings = JSON.stringify([timeZone, remindAt, [...holidays], repetitions]);
  return {
    calendar: new BusinessCalendar({ timeZone, remindAt, holidays }),
    repetitions,
    fingerprint: hash('sha256', settings),
  };
}

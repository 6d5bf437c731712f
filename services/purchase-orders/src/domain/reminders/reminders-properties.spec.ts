import { expect, test } from '@jest/globals';
import { REMINDER_RULES, type ReminderRule, STATUS_IDS, type StatusId } from '@po/contracts';
import fc from 'fast-check';
import { reminderSettings } from '../../fixtures/reminders.js';
import {
  type OrderReminders,
  type AdoptedSettings,
  initialReminders,
  updateReminders,
  recomputeReminders,
  dueSteps,
} from './reminders.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ZONES = { UTC: 0, 'Asia/Shanghai': 8, 'America/Phoenix': -7 };
/** The contract's defaults, written by hand. */
const SETTINGS: Record<ReminderRule, [first: number, interval: number, count: number]> = {
  REPLY_DUE: [3, 2, 3],
  APPROVAL_DUE: [2, 2, 3],
  EX_FACTORY_SOON: [7, 1, 1],
  EX_FACTORY_OVERDUE: [1, 7, 4],
  DELIVERY_DUE: [30, 14, 2],
};
const STATUSES: Record<ReminderRule, number[]> = {
  REPLY_DUE: [100, 150],
  APPROVAL_DUE: [200],
  EX_FACTORY_SOON: [300, 400],
  EX_FACTORY_OVERDUE: [100, 150, 200, 300, 400],
  DELIVERY_DUE: [500],
};

interface World {
  /** Hours ahead of UTC. */
  ahead: number;
  holidays: ReadonlySet<string>;
  off: ReadonlySet<ReminderRule>;
  /** Hour of the day. */
  remindAt: number;
}

/** Reference model of one rule, which walks a calendar day by day. */
class ReferenceRule {
  since: number | null = null;
  doneUntil = -Infinity;

  constructor(private readonly rule: ReminderRule) {}

  private get isOfDates(): boolean {
    return this.rule.startsWith('EX_FACTORY');
  }

  /** `free`: earliest time after the last day on which a rule of the same kind was done. Only an EX_FACTORY rule waits for it. */
  change(
    before: { status: number; xfDate: string } | null,
    after: { status: number; xfDate: string },
    now: number,
    free = now,
  ) {
    const statuses = STATUSES[this.rule];
    if (!statuses.includes(after.status)) {
      this.since = null;
      return;
    }
    const stays = before !== null && statuses.includes(before.status);
    const same = this.isOfDates ? before?.xfDate === after.xfDate : before?.status === after.status;
    if (stays && same) return;
    this.since = this.isOfDates ? free : now;
    this.doneUntil = this.isOfDates ? -Infinity : Math.max(this.doneUntil, free - 1);
  }

  /** Under other settings, days that are past only under them are skipped, except today if its reminder was still pending. */
  replan(before: World, after: World, xfDate: string, now: number) {
    if (this.since === null || this.due(before, xfDate, now) !== null) return;
    const days = before.off.has(this.rule) ? [] : this.days(before, this.since, xfDate, now);
    const toCome = [...days].find(({ at }) => at > now && at > this.doneUntil);
    const then = toCome ? toCome.at + (after.remindAt - before.remindAt) * HOUR : Infinity;
    this.doneUntil = Math.max(this.doneUntil, then <= now ? then - 1 : now);
  }

  /** The latest day that is due and not done, found by walking all days from the start. */
  due(world: World, xfDate: string, now: number): string | null {
    if (this.since === null || world.off.has(this.rule)) return null;
    let latest: string | null = null;
    for (const { day, at } of this.days(world, this.since, xfDate, now)) {
      if (at <= now && at > this.doneUntil) latest = day;
    }
    return latest;
  }

  /** The whole day counts as done, whatever the reminder time becomes. */
  done(day: string, { ahead }: World, now: number) {
    this.doneUntil = Math.max(now, Date.parse(day) + DAY - ahead * HOUR - 1);
  }

  private *days(world: World, since: number, xfDate: string, now: number) {
    const [first, interval, count] = SETTINGS[this.rule];
    const dayOf = (instant: number) => Math.floor((instant + world.ahead * HOUR) / DAY);
    const entered = dayOf(since);
    const xf = Date.parse(xfDate) / DAY;
    const start = this.isOfDates ? xf + (this.rule === 'EX_FACTORY_SOON' ? -first : first) : entered;
    let passed = 0;
    let startedAt: number | null = null;
    for (let number = entered; number <= dayOf(now); number += 1) {
      const day = new Date(number * DAY).toISOString().slice(0, 10);
      const at = number * DAY + (world.remindAt - world.ahead) * HOUR;
      const weekday = new Date(number * DAY).getUTCDay();
      const isWorking = weekday > 0 && weekday < 6 && !world.holidays.has(day);
      if (this.isOfDates) {
        if (number < start || at < since) continue;
        startedAt ??= number;
        passed = number - startedAt;
        if (passed % interval === 0 && passed / interval < count) yield { day, at };
        continue;
      }
      const counts = this.rule === 'DELIVERY_DUE' || isWorking;
      if (number > entered && counts) passed += 1;
      const over = passed - first;
      if (number > entered && counts && over >= 0 && over % interval === 0 && over / interval < count)
        yield { day, at };
    }
  }
}

type Event =
  | { kind: 'status'; status: StatusId }
  | { kind: 'xfDate'; days: number }
  | { kind: 'look'; replicas: number; crashes: boolean }
  | { kind: 'switch'; rule: ReminderRule }
  | { kind: 'remindAt'; hour: number }
  | { kind: 'nothing' };

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('look' as const),
      replicas: fc.constantFrom(1, 2),
      crashes: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('status' as const), status: fc.constantFrom(...STATUS_IDS) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('xfDate' as const), days: fc.integer({ min: -20, max: 40 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('switch' as const), rule: fc.constantFrom(...REMINDER_RULES) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remindAt' as const), hour: fc.constantFrom(6, 8, 13) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'nothing' as const }) },
);

const BEGINNING = Date.parse('2026-02-26T05:00:00Z');
const dateAfter = (instant: number, days: number) => new Date(instant + days * DAY).toISOString().slice(0, 10);

test('after any events, an order has the reminders of the reference model, and never two for one rule and day', () => {
  const lives = fc.record({
    zone: fc.constantFrom(...(Object.keys(ZONES) as (keyof typeof ZONES)[])),
    holidays: fc.uniqueArray(
      fc.nat(40).map((days) => dateAfter(BEGINNING, days)),
      { maxLength: 6 },
    ),
    status: fc.constantFrom(...STATUS_IDS),
    xfDays: fc.integer({ min: -20, max: 40 }),
    // Up to ten days, to include outages over weekends.
    events: fc.array(fc.record({ hours: fc.oneof(fc.nat(8), fc.integer({ min: 1, max: 240 })), event }), {
      maxLength: 60,
    }),
  });
  fc.assert(
    fc.property(lives, ({ zone, holidays, status, xfDays, events }) => {
      let world: World = { ahead: ZONES[zone], holidays: new Set(holidays), off: new Set(), remindAt: 8 };
      let settings = settingsOf(world, zone, 0);
      let now = BEGINNING;
      let facts = { status, xfDate: dateAfter(now, xfDays) };
      const references = REMINDER_RULES.map((rule) => ({ rule, reference: new ReferenceRule(rule) }));
      for (const { reference } of references) reference.change(null, facts, now);
      let stored: OrderReminders = initialReminders(
        { statusId: status, xfDate: facts.xfDate },
        new Date(now),
        settings,
      );
      const published: string[] = [];
      const expected: string[] = [];
      const move = (after: typeof facts) => {
        const busy = references.map(({ rule, reference }) => ({
          rule,
          until: Math.max(reference.since ?? 0, reference.doneUntil + 1),
        }));
        for (const { rule, reference } of references) {
          const ofKind = busy.filter((one) => isOverdue(one.rule) === isOverdue(rule));
          reference.change(facts, after, now, Math.max(now, ...ofKind.map(({ until }) => until)));
        }
        facts = after;
        stored = updateReminders(stored, { statusId: facts.status, xfDate: facts.xfDate }, new Date(now), settings);
      };
      const replan = (other: World) => {
        for (const { reference } of references) reference.replan(world, other, facts.xfDate, now);
        world = other;
        settings = settingsOf(world, zone, settings.generation + 1);
        stored = recomputeReminders(stored, new Date(now), settings);
      };
      for (const { hours, event: happens } of events) {
        now += hours * HOUR;
        switch (happens.kind) {
          case 'status':
            move({ ...facts, status: happens.status });
            break;
          case 'xfDate':
            move({ ...facts, xfDate: dateAfter(now, happens.days) });
            break;
          case 'switch': {
            const off = new Set(world.off);
            if (!off.delete(happens.rule)) off.add(happens.rule);
            replan({ ...world, off });
            break;
          }
          case 'remindAt':
            replan({ ...world, remindAt: happens.hour });
            break;
          case 'look': {
            for (const { rule, reference } of references) {
              const day = reference.due(world, facts.xfDate, now);
              if (day !== null) expected.push(`${rule} ${day}`);
              if (day !== null) reference.done(day, world, now);
            }
            // A crash stores neither record nor due time, so the next look finds the same steps.
            if (happens.crashes) dueSteps(stored, new Date(now), settings);
            for (let replica = 0; replica < happens.replicas; replica += 1) {
              const { due, after } = dueSteps(stored, new Date(now), settings);
              published.push(...due.map(({ rule, dueOn }) => `${rule} ${dueOn}`));
              stored = after;
            }
            break;
          }
          case 'nothing':
            break;
          default:
            happens satisfies never;
        }
      }
      const sorted = (days: readonly string[]) => days.toSorted().join();
      expect(sorted(published)).toBe(sorted(expected));
      expect(new Set(published).size).toBe(published.length);
    }),
    { numRuns: 500 },
  );
});

const isOverdue = (rule: ReminderRule) => rule === 'EX_FACTORY_OVERDUE';

function settingsOf({ holidays, off, remindAt }: World, timeZone: string, generation: number): AdoptedSettings {
  const rules = Object.fromEntries([...off].map((rule) => [rule, 'off']));
  const hour = String(remindAt).padStart(2, '0');
  return { ...reminderSettings({ timeZone, remindAt: `${hour}:00`, holidays: [...holidays], rules }), generation };
}

import { expect, it } from '@jest/globals';
import { TODAY, daysAfter, daysBetween, shiftDates } from './dates.js';
import { withoutVolatile, withPreviousVolatile } from './send-examples.js';
import { recordedAnswers } from './recorded.js';

const DAYS = [
  ['the day after', daysAfter(TODAY, 1)],
  ['40 days later', daysAfter(TODAY, 40)],
  ['200 days later', daysAfter(TODAY, 200)],
  ['a Sunday', '2027-02-07'],
  ['29 February', '2028-02-29'],
  ['31 December', '2026-12-31'],
] as const;

/** Answers on `day` for a demo order from three days before. */
const answersOn = (day: string) => ({
  asOf: day,
  poDate: daysAfter(day, -3),
  updatedAt: `${day}T09:16:43.740Z`,
  errors: [{ message: `must not be before the order date ${daysAfter(day, -3)}` }, { message: `不能早于${day}。` }],
  text: `PO Number,XFD\r\nPO-4500018203,${daysAfter(day, 68)}\r\n`,
});

it.each(DAYS)('answers of %s (%s) equal the recorded answers once their dates are shifted', (_name, day) => {
  const days = daysBetween(TODAY, day);
  expect(shiftDates(answersOn(day), -days)).toEqual(answersOn(TODAY));
  expect(shiftDates(answersOn(TODAY), days)).toEqual(answersOn(day));
});

it.each(DAYS)('recorded answers shifted to %s (%s) contain no date of the recording', (_name, day) => {
  const days = daysBetween(TODAY, day);
  const recorded = recordedAnswers();
  const text = JSON.stringify(withoutVolatile(recorded['VALUE_OUT_OF_RANGE'] ?? { status: 0, body: null }));
  expect(text).toContain(`the order date ${daysAfter(TODAY, -3)}`);
  expect(JSON.stringify(shiftDates(JSON.parse(text), days))).toBe(
    text.replace(daysAfter(TODAY, -3), daysAfter(day, -3)),
  );
  expect(shiftDates(shiftDates(recorded, days), -days)).toEqual(recorded);
});

it('a date that is one day off remains a difference', () => {
  const late = answersOn(daysAfter(TODAY, 41));
  expect(shiftDates(late, -40)).not.toEqual(answersOn(TODAY));
  expect(shiftDates(late, -40).errors).not.toEqual(answersOn(TODAY).errors);
});

it('a schedule equals the recorded one after midnight, even if the demo orders were loaded before', () => {
  const schedule = (asOf: string) => withoutVolatile({ status: 200, body: { asOf, overdueTotal: 2 } });
  expect(schedule(daysAfter(TODAY, 1))).toEqual(schedule(TODAY));
});

it.each(['PO-2026-11-19', '2026-11-19-1', 'a2026-11-19', '2026-11-190', '2026-02-30', '2026-13-01', '2026-11-19Tea'])(
  'shifting dates leaves %s unchanged',
  (text) => {
    expect(shiftDates({ text }, 40)).toEqual({ text });
  },
);

// The dashboard's answers come from Lua, which writes members in a different order each time.
it('a repeated recording changes only the members that really differ', () => {
  const before = [{ id: 'a', poRef: 'PO-1', left: true, status: 'New' }];
  const fresh = [{ version: 2, status: 'In Revision', poRef: 'PO-1', id: 'b' }];
  expect(JSON.stringify(withPreviousVolatile(fresh, before))).toBe(
    '[{"id":"a","poRef":"PO-1","status":"In Revision","version":2}]',
  );
});

import { expect, it } from '@jest/globals';
import { TODAY, daysAfter, shiftDates } from './dates.js';
import { withoutVolatile, withPreviousVolatile } from './send-examples.js';

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

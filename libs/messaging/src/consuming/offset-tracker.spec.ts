import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OffsetTracker } from './offset-tracker.js';

/** Simple reference implementation: the smallest received offset that is not done limits what may be committed. */
function reference(taken: bigint[], done: Set<bigint>): bigint | null {
  let next: bigint | null = null;
  for (const offset of taken) {
    if (!done.has(offset)) break;
    next = offset + 1n;
  }
  return next;
}

describe('OffsetTracker', () => {
  it('commits exactly the low watermark, for records finished in any order, with gaps and duplicates', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 200 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (gaps, random) => {
          const tracker = new OffsetTracker();
          const taken: bigint[] = [];
          const open: bigint[] = [];
          const done = new Set<bigint>();
          let offset = 0n;
          const finishOne = () => {
            const [finished] = open.splice(Math.floor((random.next().value ?? 0) * open.length), 1);
            if (finished === undefined) return;
            tracker.done(finished);
            tracker.done(finished);
            done.add(finished);
          };
          for (const gap of gaps) {
            offset += BigInt(gap);
            expect(tracker.received(offset)).toBe(true);
            expect(tracker.received(offset)).toBe(false);
            taken.push(offset);
            open.push(offset);
            if ((random.next().value ?? 0) > 0.5) finishOne();
            expect(tracker.committable()).toBe(reference(taken, done));
            expect(tracker.pending).toBe(open.length);
          }
          while (open.length > 0) {
            finishOne();
            expect(tracker.committable()).toBe(reference(taken, done));
          }
          expect(tracker.committable()).toBe(offset + 1n);
        },
      ),
    );
  });

  it('does not return a committed offset again, but repeats an offset whose commit failed', () => {
    const tracker = new OffsetTracker();
    tracker.received(7n);
    expect(tracker.committable()).toBeNull();
    tracker.done(7n);
    expect(tracker.committable()).toBe(8n);
    expect(tracker.committable()).toBe(8n);
    tracker.acknowledged(8n);
    expect(tracker.committable()).toBeNull();
  });

  it('returns the timestamp of the oldest unfinished record', () => {
    const tracker = new OffsetTracker();
    tracker.received(1n, 100);
    tracker.received(2n, 200);
    tracker.done(2n);
    expect(tracker.oldestPending).toBe(100);
    tracker.done(1n);
    expect(tracker.oldestPending).toBeNull();
  });

  it('refuses an offset that was already finished, as after a seek back', () => {
    const tracker = new OffsetTracker();
    tracker.received(1n);
    tracker.done(1n);
    expect(tracker.received(1n)).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import { Negotiations } from './negotiations.js';

const negotiationsOfTwoRows = () => new Negotiations((index) => [`${index}-a`, `${index}-b`]);

/** Does so many writes of one order, all answered in one way; what each did. */
function writes(negotiations: Negotiations, count: number, status: number, body = '{}'): string[] {
  return Array.from({ length: count }, () => {
    const next = negotiations.next(0);
    if (!next) throw new Error('a write is under way');
    next.done(status, body);
    const { action } = next.write.body as { action?: string };
    return action ?? `${next.write.method} ${next.write.path}`;
  });
}

const HEADER = 'PATCH ';
const LINES = 'PATCH /line-items';

describe('a negotiation', () => {
  it('goes round for ever, through a rejection and an agreement', () => {
    const round = [HEADER, LINES, 'SUBMIT', 'REJECT', HEADER, LINES, 'SUBMIT', 'APPROVE', 'RECALL'];
    expect(writes(negotiationsOfTwoRows(), 18, 200)).toEqual([...round, ...round]);
  });

  it('changes something each time', () => {
    const negotiations = negotiationsOfTwoRows();
    const bodies = Array.from({ length: 50 }, () => {
      const next = negotiations.next(0);
      next?.done(200, '{}');
      return next?.write.method === 'PATCH' ? JSON.stringify(next.write.body) : null;
    }).filter((body) => body !== null);
    expect(new Set(bodies).size).toBe(bodies.length);
  });

  it('repeats what was not done', () => {
    expect(writes(negotiationsOfTwoRows(), 3, 503)).toEqual([HEADER, HEADER, HEADER]);
  });

  it.each([
    [100, HEADER],
    [150, HEADER],
    [200, 'REJECT'],
    [300, 'RECALL'],
  ])('goes on where a refusal says that the order is: %i', (currentStatusId, next) => {
    const negotiations = negotiationsOfTwoRows();
    writes(negotiations, 11, 200);
    writes(negotiations, 1, 409, JSON.stringify({ currentStatusId }));
    expect(writes(negotiations, 1, 200)).toEqual([next]);
  });

  it('does one thing at a time to an order', () => {
    const negotiations = negotiationsOfTwoRows();
    const first = negotiations.next(0);
    expect(negotiations.next(0)).toBeNull();
    expect(negotiations.next(1)).not.toBeNull();
    first?.done(200, '{}');
    expect(negotiations.next(0)).not.toBeNull();
  });
});

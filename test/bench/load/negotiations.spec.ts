import { describe, expect, it } from '@jest/globals';
import { Negotiations } from './negotiations.js';

const [HEADER, LINES] = ['PATCH ', 'PATCH /line-items'];
const ROUND = [HEADER, LINES, 'SUBMIT', 'REJECT', HEADER, LINES, 'SUBMIT', 'APPROVE', 'RECALL'];
const negotiationsOfTwoRows = () => new Negotiations((index) => [`${index}-a`, `${index}-b`]);

/** Makes so many writes of one order, all answered alike. */
function writes(negotiations: Negotiations, count: number, status: number, body = '{}'): string[] {
  return Array.from({ length: count }, () => {
    const next = negotiations.next(0);
    if (!next) throw new Error('a write is in flight');
    next.done(status, body);
    const { action } = next.write.body as { action?: string };
    return action ?? `${next.write.method} ${next.write.path}`;
  });
}

describe('a negotiation', () => {
  it('repeats a round with a rejection and an agreement', () => {
    expect(writes(negotiationsOfTwoRows(), 18, 200)).toEqual([...ROUND, ...ROUND]);
  });

  it('repeats a write that failed', () => {
    expect(writes(negotiationsOfTwoRows(), 3, 503)).toEqual([HEADER, HEADER, HEADER]);
  });

  it.each([
    [100, HEADER],
    [200, 'REJECT'],
    [300, 'RECALL'],
  ])('continues after a 409 with the step that status %i allows', (currentStatusId, next) => {
    const negotiations = negotiationsOfTwoRows();
    writes(negotiations, 11, 200);
    writes(negotiations, 1, 409, JSON.stringify({ currentStatusId }));
    expect(writes(negotiations, 1, 200)).toEqual([next]);
  });

  it('has one write of an order in flight', () => {
    const negotiations = negotiationsOfTwoRows();
    const first = negotiations.next(0);
    expect([negotiations.next(0), negotiations.next(1)]).toEqual([null, expect.anything()]);
    first?.done(200, '{}');
    expect(negotiations.next(0)).not.toBeNull();
  });
});

import { describe, expect, it } from '@jest/globals';
import { parseArguments } from './republish-orders.js';

const NOW = Date.UTC(2026, 10, 25);

describe('the arguments of the republish job', () => {
  it('select all orders, or each named order once', () => {
    expect(parseArguments(['--all'], NOW)).toEqual({ selection: 'all' });
    expect(parseArguments(['PO-1', 'po-2', 'po-1'], NOW)).toEqual({ selection: ['PO-1', 'PO-2'] });
  });

  it('select all orders with raised versions after a restore, and with higher ones after the next restore', () => {
    const { selection, leastVersion = 0 } = parseArguments(['--restored'], NOW);
    expect(selection).toBe('all');
    expect(leastVersion).toBe((NOW - Date.UTC(2020, 0)) / 1000);
    expect(parseArguments(['--restored'], NOW + 60_000).leastVersion).toBe(leastVersion + 60);
    expect(parseArguments(['--restored'], Date.UTC(2087, 11)).leastVersion).toBeLessThan(2 ** 31);
  });

  it.each([[[]], [['--all', 'PO-1']], [['PO-1', '--al']], [['--all', '--restored']]])(
    'are refused with the usage: %p',
    (args) => {
      expect(() => parseArguments(args, NOW)).toThrow('usage: republish <poRef>… | --all | --restored');
    },
  );
});

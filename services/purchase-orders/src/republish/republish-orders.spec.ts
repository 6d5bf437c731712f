import { describe, expect, it } from '@jest/globals';
import { parseSelection } from './republish-orders.js';

describe('what the republish job is asked for', () => {
  it('is all orders, or each named one once', () => {
    expect(parseSelection(['--all'])).toBe('all');
    expect(parseSelection(['PO-1', 'PO-2', 'PO-1'])).toEqual(['PO-1', 'PO-2']);
  });

  it.each([[[]], [['--all', 'PO-1']], [['PO-1', '--al']]])('is refused with what is allowed: %p', (args) => {
    expect(() => parseSelection(args)).toThrow('usage: republish <poRef>… | --all');
  });
});

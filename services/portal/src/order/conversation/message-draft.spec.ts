import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CHOSEN } from '../../storage/text-storage.js';
import {
  EMPTY,
  type MessageDraft,
  attempted,
  charactersLeft,
  notReached,
  readDraft,
  requestOf,
  withRows,
  written,
} from './message-draft.js';

const row = (rowHash: string) => ({ rowHash, code: 'c', style: 'KP', color: 'BLK', size: 'S' });
const BUYER = { userId: 'b', name: 'Marta', isVendor: false };
const VENDOR = { userId: 'v', name: 'Chen', isVendor: true };
const draft = (changes: Partial<MessageDraft>): MessageDraft => ({ ...EMPTY, ...changes });
const everywhere = () => true;

describe('a message that is being written', () => {
  it('is read as it was kept, and takes no room once it is empty', () => {
    const whole = draft({
      body: ' Why? ',
      visibility: 'internal',
      rows: [row('1')],
      mentions: [BUYER],
      attempt: { key: 'k', sent: '{}' },
    });
    expect(readDraft(written(whole))).toEqual(whole);
    expect(written(EMPTY)).toBe('');
    const internal = draft({ visibility: 'internal' });
    expect(readDraft(written(internal))).toEqual(internal);
    // Nobody is asked about it before signing out.
    expect(written(internal).startsWith(CHOSEN)).toBe(true);
    expect(readDraft('')).toEqual(EMPTY);
  });

  it('is nothing where something else is kept, and never for the vendor by mistake', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => typeof readDraft(text).body === 'string'));
    expect(readDraft('{"body":"x","rows":[{}, null, {"rowHash":1}],"attempt":{"key":1}}')).toEqual(
      draft({ body: 'x', visibility: 'internal' }),
    );
  });

  it('is about each row once', () => {
    const rows = withRows(draft({ rows: [row('1'), row('2')] }), [row('2'), row('3')]).rows;
    expect(rows.map(({ rowHash }) => rowHash)).toEqual(['1', '2', '3']);
  });

  it('is sent trimmed, about rows that are there, to those who are still mentioned', () => {
    const given = draft({ body: ' @Marta @Chen ', rows: [row('1'), row('2')], mentions: [BUYER, VENDOR] });
    expect(requestOf(given, (rowHash) => rowHash !== '1')).toEqual({
      body: '@Marta @Chen',
      visibility: 'all',
      rows: ['2'],
      mentions: ['b', 'v'],
    });
    expect(requestOf({ ...given, body: 'Nobody' }, everywhere).mentions).toEqual([]);
  });

  it('mentions nobody of the vendor while it is internal, and says so', () => {
    const given = draft({ body: '@Marta @Chen', visibility: 'internal', mentions: [BUYER, VENDOR] });
    expect(requestOf(given, everywhere).mentions).toEqual(['b']);
    expect(notReached(given)).toEqual([VENDOR]);
    expect(notReached({ ...given, visibility: 'all' })).toEqual([]);
  });

  it('keeps its key while it is the same message, and has another one as soon as it is not', () => {
    let keys = 0;
    const newKey = () => `k-${(keys += 1)}`;
    const first = draft({ body: 'Why?' });
    const sent = attempted(first, requestOf(first, everywhere), newKey);
    expect(sent.attempt?.key).toBe('k-1');
    const kept = readDraft(written(sent));
    expect(attempted(kept, requestOf(kept, everywhere), newKey).attempt?.key).toBe('k-1');
    const changed = { ...kept, body: 'Why not?' };
    expect(attempted(changed, requestOf(changed, everywhere), newKey).attempt?.key).toBe('k-2');
  });

  it('has as many characters as the API counts', () => {
    expect(charactersLeft(draft({ body: ` ${'a'.repeat(3999)} ` }))).toBe(1);
    expect(charactersLeft(draft({ body: '😀'.repeat(4000) }))).toBe(0);
    expect(charactersLeft(draft({ body: 'a'.repeat(4001) }))).toBe(-1);
  });
});

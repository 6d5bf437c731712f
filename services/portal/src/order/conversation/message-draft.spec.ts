import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CHOSEN } from '../../storage/text-storage.js';
import {
  EMPTY,
  type MessageDraft,
  afterPost,
  withAttempt,
  charactersLeft,
  unreachedMentions,
  readDraft,
  requestOf,
  serializeDraft,
  withRows,
} from './message-draft.js';

const row = (rowHash: string) => ({ rowHash, code: 'c', style: 'KP', color: 'BLK', size: 'S' });
const BUYER = { userId: 'b', name: 'Marta', isVendor: false };
const VENDOR = { userId: 'v', name: 'Chen', isVendor: true };
const draft = (changes: Partial<MessageDraft>): MessageDraft => ({ ...EMPTY, ...changes });
const everywhere = () => true;

describe('a message draft', () => {
  it('is read back as stored, and takes no storage when empty', () => {
    const whole = draft({
      body: ' Why? ',
      visibility: 'internal',
      rows: [row('1')],
      mentions: [BUYER],
      attempt: { key: 'k', sent: '{}' },
    });
    expect(readDraft(serializeDraft(whole))).toEqual(whole);
    expect(serializeDraft(EMPTY)).toBe('');
    const internal = draft({ visibility: 'internal' });
    expect(readDraft(serializeDraft(internal))).toEqual(internal);
    // The user is not asked about such a draft at sign-out.
    expect(serializeDraft(internal).startsWith(CHOSEN)).toBe(true);
    expect(readDraft('')).toEqual(EMPTY);
  });

  it('is empty if other data is stored, and internal if the visibility is unknown', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => typeof readDraft(text).body === 'string'));
    expect(
      readDraft(
        '{"body":"x","rows":[{}, null, {"rowHash":1}],"mentions":[{"userId":"b","name":1}],"attempt":{"key":1}}',
      ),
    ).toEqual(draft({ body: 'x', visibility: 'internal' }));
  });

  it('contains each row once', () => {
    const rows = withRows(draft({ rows: [row('1'), row('2')] }), [row('2'), row('3')]).rows;
    expect(rows.map(({ rowHash }) => rowHash)).toEqual(['1', '2', '3']);
  });

  it('is sent trimmed, with the rows that still exist and the users still mentioned', () => {
    const given = draft({ body: ' @Marta @Chen ', rows: [row('1'), row('2')], mentions: [BUYER, VENDOR] });
    expect(requestOf(given, (rowHash) => rowHash !== '1')).toEqual({
      body: '@Marta @Chen',
      visibility: 'all',
      rows: ['2'],
      mentions: ['b', 'v'],
    });
    expect(requestOf({ ...given, body: 'Nobody' }, everywhere).mentions).toEqual([]);
  });

  it('does not mention vendor users if it is internal, and lists them as not reached', () => {
    const given = draft({ body: '@Marta @Chen', visibility: 'internal', mentions: [BUYER, VENDOR] });
    expect(requestOf(given, everywhere).mentions).toEqual(['b']);
    expect(unreachedMentions(given)).toEqual([VENDOR]);
    expect(unreachedMentions({ ...given, visibility: 'all' })).toEqual([]);
  });

  it('keeps its idempotency key until the message changes', () => {
    let keys = 0;
    const newKey = () => `k-${(keys += 1)}`;
    const first = draft({ body: 'Why?' });
    const sent = withAttempt(first, requestOf(first, everywhere), newKey);
    expect(sent.attempt?.key).toBe('k-1');
    const kept = readDraft(serializeDraft(sent));
    expect(withAttempt(kept, requestOf(kept, everywhere), newKey).attempt?.key).toBe('k-1');
    const changed = { ...kept, body: 'Why not?' };
    expect(withAttempt(changed, requestOf(changed, everywhere), newKey).attempt?.key).toBe('k-2');
  });

  it('is empty after its post, unless the text or the rows changed meanwhile', () => {
    const posted = draft({ body: 'Why?', rows: [row('1')], attempt: { key: 'k', sent: '{}' } });
    expect(afterPost(posted, posted)).toEqual(EMPTY);
    for (const changed of [{ body: 'Why? And when?' }, { rows: [row('2')] }]) {
      expect(afterPost({ ...posted, ...changed }, posted)).toEqual({ ...posted, ...changed, attempt: null });
    }
  });

  it('counts characters as the API does', () => {
    expect(charactersLeft(draft({ body: ` ${'a'.repeat(3999)} ` }))).toBe(1);
    expect(charactersLeft(draft({ body: '😀'.repeat(4000) }))).toBe(0);
    expect(charactersLeft(draft({ body: 'a'.repeat(4001) }))).toBe(-1);
  });
});

import { describe, expect, it } from '@jest/globals';
import { type SessionState, afterAnnouncement, isReturn } from './session-state.js';

const open = {
  phase: 'open',
  profile: { id: 'u-1', name: 'Li', locale: 'zh' },
  demoUsers: [],
  tokens: 1,
} satisfies SessionState;

describe('an announcement by another tab', () => {
  it('of a sign-out ends the session', () => {
    expect(afterAnnouncement(open, { kind: 'signed-out' })).toEqual({ phase: 'ended', why: 'signed-out' });
  });

  it('of a sign-in ends the session only if it is another user', () => {
    expect(afterAnnouncement(open, { kind: 'signed-in', id: 'u-2' })).toEqual({ phase: 'ended', why: 'other-user' });
    expect(afterAnnouncement(open, { kind: 'signed-in', id: 'u-1' })).toBe(open);
  });

  it('closes the page of an expired session in the same way', () => {
    const expired: SessionState = { phase: 'ended', why: 'expired', profile: open.profile };
    expect(afterAnnouncement(expired, { kind: 'signed-in', id: 'u-2' })).toEqual({ phase: 'ended', why: 'other-user' });
    expect(afterAnnouncement(expired, { kind: 'signed-out' })).toEqual({ phase: 'ended', why: 'signed-out' });
    expect(afterAnnouncement(expired, { kind: 'signed-in', id: 'u-1' })).toBe(expired);
  });

  it('lets the page of an expired session continue if the same user signed in', () => {
    const { phase: _phase, ...shown } = open;
    const expired: SessionState = { phase: 'ended', why: 'expired', ...shown };
    expect(isReturn(expired, { kind: 'signed-in', id: 'u-1' })).toBe(true);
    expect(isReturn(expired, { kind: 'signed-in', id: 'u-2' })).toBe(false);
    expect(isReturn(expired, { kind: 'signed-out' })).toBe(false);
    expect(isReturn(open, { kind: 'signed-in', id: 'u-1' })).toBe(false);
    expect(isReturn({ phase: 'ended', why: 'signed-out' }, { kind: 'signed-in', id: 'u-1' })).toBe(false);
  });

  it.each<SessionState>([{ phase: 'opening' }, { phase: 'ended', why: 'expired' }])(
    'is ignored in the state %j',
    (state) => {
      expect(afterAnnouncement(state, { kind: 'signed-out' })).toBe(state);
    },
  );
});

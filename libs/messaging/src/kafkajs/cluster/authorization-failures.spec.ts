import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { pino } from 'pino';
import { CODE } from './protocol.js';
import { AuthorizationFailures } from './authorization-failures.js';

describe('the authorization failures of a client', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('are listed for only ten minutes after the last denial, because an operation that is no longer needed never succeeds', () => {
    jest.useFakeTimers();
    const authorizationFailures = new AuthorizationFailures(pino({ level: 'silent' }));
    authorizationFailures.note(CODE.topicAuthorizationFailed, 'write to', 'topic', 'a');
    jest.advanceTimersByTime(9 * 60_000);
    authorizationFailures.note(CODE.topicAuthorizationFailed, 'write to', 'topic', 'b');
    jest.advanceTimersByTime(60_000);
    expect(authorizationFailures.list()).toEqual(['write to topic b']);
    jest.advanceTimersByTime(8 * 60_000);
    authorizationFailures.note(CODE.topicAuthorizationFailed, 'write to', 'topic', 'b');
    jest.advanceTimersByTime(9 * 60_000);
    expect(authorizationFailures.list()).toEqual(['write to topic b']);
  });

  it('are listed, and logged once, until access is granted', () => {
    const lines: string[] = [];
    const authorizationFailures = new AuthorizationFailures(
      pino({ level: 'error' }, { write: (line) => lines.push(line) }),
    );
    authorizationFailures.note(CODE.none, 'read', 'topic', 'a');
    authorizationFailures.note(CODE.notLeader, 'read', 'topic', 'a');
    expect(authorizationFailures.list()).toEqual([]);

    authorizationFailures.note(CODE.topicAuthorizationFailed, 'read', 'topic', 'a');
    authorizationFailures.note(CODE.topicAuthorizationFailed, 'read', 'topic', 'a');
    authorizationFailures.note(CODE.groupAuthorizationFailed, 'read', 'group', 'g');
    expect(authorizationFailures.list()).toEqual(['read topic a', 'read group g']);
    expect(lines.map((line) => (JSON.parse(line) as { refused: string }).refused)).toEqual(
      authorizationFailures.list(),
    );

    authorizationFailures.note(CODE.none, 'write to', 'topic', 'a');
    authorizationFailures.note(CODE.notLeader, 'read', 'topic', 'a');
    expect(authorizationFailures.list()).toHaveLength(2);
    authorizationFailures.note(CODE.topicAuthorizationFailed, 'describe', 'topic', 'a');
    authorizationFailures.note(CODE.none, 'read', 'topic', 'a');
    expect(authorizationFailures.list()).toEqual(['read group g']);
  });
});

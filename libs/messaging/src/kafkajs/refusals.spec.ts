import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { CODE } from './protocol.js';
import { Refusals } from './refusals.js';

describe('what brokers do not let a client do', () => {
  it('is remembered, and logged once, until they do let it', () => {
    const lines: string[] = [];
    const refusals = new Refusals(pino({ level: 'error' }, { write: (line) => lines.push(line) }));
    refusals.note(CODE.none, 'read', 'topic', 'a');
    refusals.note(CODE.notLeader, 'read', 'topic', 'a');
    expect(refusals.list()).toEqual([]);

    refusals.note(CODE.topicAuthorizationFailed, 'read', 'topic', 'a');
    refusals.note(CODE.topicAuthorizationFailed, 'read', 'topic', 'a');
    refusals.note(CODE.groupAuthorizationFailed, 'read', 'group', 'g');
    expect(refusals.list()).toEqual(['read topic a', 'read group g']);
    expect(lines.map((line) => (JSON.parse(line) as { refused: string }).refused)).toEqual(refusals.list());

    refusals.note(CODE.none, 'write to', 'topic', 'a');
    refusals.note(CODE.notLeader, 'read', 'topic', 'a');
    expect(refusals.list()).toHaveLength(2);
    refusals.note(CODE.topicAuthorizationFailed, 'describe', 'topic', 'a');
    refusals.note(CODE.none, 'read', 'topic', 'a');
    expect(refusals.list()).toEqual(['read group g']);
  });
});

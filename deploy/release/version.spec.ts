import { describe, expect, it } from '@jest/globals';
import { commitOf, releaseNotes } from './commits.js';
import { nextVersion } from './version.js';

const commitsOf = (...messages: string[]) => messages.flatMap((message, at) => commitOf(`c${at}`, message) ?? []);
const CHANGED = commitsOf('fix: a', 'docs(x): b', 'Merge branch x', 'chore: c');

describe('the version of a release', () => {
  it.each([
    ['1.0.0', null, CHANGED, []],
    ['1.9.10', '1.9.9', CHANGED, []],
    ['1.10.0', '1.9.9', [...CHANGED, ...commitsOf('feat(portal): d')], []],
    ['2.0.0', '1.9.9', commitsOf('feat(portal)!: d'), []],
    ['2.0.0', '1.9.9', commitsOf('refactor: d\n\nWhy.\n\nBREAKING CHANGE: e'), []],
    ['2.0.0', '1.9.9', CHANGED, ['GET /x is gone']],
  ])('is %s after %s', (version, last, commits, breakingChanges) => {
    expect(nextVersion({ last, commits, breakingChanges })).toBe(version);
  });

  it('may be higher than the changes require, but not lower', () => {
    const changes = { last: '1.9.9', commits: commitsOf('feat!: drop e'), breakingChanges: ['GET /x is gone'] };
    expect(nextVersion(changes, '10.0.0')).toBe('10.0.0');
    expect(() => nextVersion(changes, '1.10.0')).toThrow(
      '1.10.0 is too low: a major change since 1.9.9 allows 2.0.0 or higher\n  drop e\n  GET /x is gone',
    );
    expect(() => nextVersion({ last: null, commits: [], breakingChanges: [] }, '0.9.0')).toThrow(
      '0.9.0 is too low: the first release allows 1.0.0 or higher',
    );
    expect(() => nextVersion(changes, '2.0')).toThrow('2.0 is not a version: use three numbers, such as 1.2.3');
  });
});

it('the notes list changed permissions, breaking changes, features, fixes and performance, with the subjects of the commits', () => {
  const commits = commitsOf(
    'feat(portal): show a',
    'fix: keep b',
    'perf(lists): find c by index',
    'docs: say d',
    'feat(api)!: drop e',
    'fix(topics): move f\n\nBREAKING CHANGE: g is read\n  from h\n\nReviewed-by: I',
  );
  expect(releaseNotes('2.0.0', commits, ['GET /x is gone'], ['deploy/redis/users.acl'])).toBe(`# 2.0.0

## Apply before the upgrade

- \`deploy/redis/users.acl\`

## Breaking changes

- **api**: drop e (c4)
- **topics**: g is read from h (c5)
- GET /x is gone

## Features

- **portal**: show a (c0)

## Fixes

- keep b (c1)

## Performance

- **lists**: find c by index (c2)
`);
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Pressed, commandOf, moved } from './keyboard.js';

const press = (key: string, more: Partial<Pressed> = {}) =>
  commandOf({ key, chorded: false, shift: false, place: 'page', ...more });

describe('the keys of the list', () => {
  it.each([
    ['j', 'down'],
    ['k', 'up'],
    ['x', 'toggle'],
    ['J', 'down'],
    ['/', 'search'],
    ['?', 'help'],
    ['Escape', 'leave'],
    ['Enter', 'open'],
    ['ArrowDown', null],
    [' ', null],
    ['q', null],
    ['constructor', null],
  ])('%s anywhere on the page: %s', (key, command) => {
    expect(press(key)).toBe(command);
  });

  it.each([
    ['ArrowDown', 'down'],
    ['ArrowUp', 'up'],
    ['Home', 'first'],
    ['End', 'last'],
    ['Enter', 'open'],
    [' ', 'toggle'],
  ])('%s in a row: %s', (key, command) => {
    expect(press(key, { place: 'row' })).toBe(command);
  });

  it('extend with shift', () => {
    const withShift = (key: string) => press(key, { place: 'row', shift: true });
    expect([' ', 'X', 'J', 'K', 'ArrowDown', 'ArrowUp', '?', 'End'].map(withShift)).toEqual([
      'extend',
      'extend',
      'extend-down',
      'extend-up',
      'extend-down',
      'extend-up',
      'help',
      'last',
    ]);
    expect(press('a', { place: 'row', chorded: true })).toBe('all');
  });

  it('leave buttons, fields, what is open and the browser their own', () => {
    expect([press('Enter', { place: 'control' }), press('j', { place: 'control' })]).toEqual([null, 'down']);
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('field', 'overlay'), (key, place) => {
        expect(press(key, { place: place as Pressed['place'] })).toBeNull();
      }),
    );
    expect([press('k', { chorded: true }), press('a', { chorded: true })]).toEqual([null, null]);
  });
});

describe('where one is', () => {
  const ROWS = ['a', 'b', 'c'];

  it.each([
    [null, 'down', 'a'],
    [null, 'up', 'a'],
    [null, 'last', 'c'],
    ['gone', 'down', 'a'],
    ['a', 'down', 'b'],
    ['c', 'down', 'c'],
    ['a', 'up', 'a'],
    ['b', 'first', 'a'],
    ['b', 'last', 'c'],
  ] as const)('%s, %s: %s', (cursor, command, next) => {
    expect(moved(ROWS, cursor, command)).toBe(next);
  });

  it('is nowhere without rows', () => {
    expect(moved([], 'a', 'down')).toBeNull();
  });
});

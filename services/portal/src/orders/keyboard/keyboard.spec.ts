import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Pressed, commandOf, moved } from './keyboard.js';

const press = (key: string, more: Partial<Pressed> = {}) =>
  commandOf({ key, chorded: false, shift: false, characters: true, place: 'page', ...more });

describe('the keyboard shortcuts of the list', () => {
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
  ])('map %s anywhere on the page to %s', (key, command) => {
    expect(press(key)).toBe(command);
  });

  it.each([
    ['ArrowDown', 'down'],
    ['ArrowUp', 'up'],
    ['Home', 'first'],
    ['End', 'last'],
    ['Enter', 'open'],
    [' ', 'toggle'],
  ])('map %s in a row to %s', (key, command) => {
    expect(press(key, { place: 'row' })).toBe(command);
  });

  it('extend the selection with Shift', () => {
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

  it('have none of one character if these are turned off', () => {
    const inRow = (key: string) => press(key, { place: 'row', characters: false });
    expect(['j', 'K', 'x', '/', '?'].map(inRow)).toEqual([null, null, null, null, null]);
    expect([' ', 'ArrowDown', 'Enter', 'Escape'].map(inRow)).toEqual(['toggle', 'down', 'open', 'leave']);
  });

  it('leave the keys of buttons, fields, overlays and the browser alone', () => {
    expect([press('Enter', { place: 'control' }), press('j', { place: 'control' })]).toEqual([null, 'down']);
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('field', 'overlay'), (key, place) => {
        expect(press(key, { place: place as Pressed['place'] })).toBeNull();
      }),
    );
    expect([press('k', { chorded: true }), press('a', { chorded: true })]).toEqual([null, null]);
  });
});

describe('moving the cursor', () => {
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
  ] as const)('from %s with %s leads to %s', (cursor, command, next) => {
    expect(moved(ROWS, cursor, command)).toBe(next);
  });

  it('leads nowhere without rows', () => {
    expect(moved([], 'a', 'down')).toBeNull();
  });
});

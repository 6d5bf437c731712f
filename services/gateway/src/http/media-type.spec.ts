import { expect, it } from '@jest/globals';
import { mediaTypeOf } from './media-type.js';

const isJson = (contentType: string) => mediaTypeOf(contentType)?.type === 'application/json';

it.each([
  ['application/json', true],
  ['Application/JSON ; Charset = "UTF-8" ; ', true],
  ['application/json;charset=" utf-8 "', false],
  ['application/json;', true],
  ['application/json;;', false],
  ['application/json;charset=utf-8;;', false],
  [' application/json', false],
  ['application/jsonx', false],
  ['application/json; charset=utf-16', false],
  ['application/json; charset=utf-8; charset=utf-8', false],
  ['application/json; charset=utf-8=', false],
  ['application/json; boundary=x', false],
  ['', false],
])('mediaTypeOf recognizes "%s" as JSON: %p', (mediaType, expected) => {
  expect(isJson(mediaType)).toBe(expected);
});

it.each([
  ['text/csv', { type: 'text/csv', isUtf8: false }],
  ['Text/CSV; header=present; Charset=UTF-8', { type: 'text/csv', isUtf8: true }],
  ['text/csv; charset=gbk', null],
  ['text/csv; header=present; charset=utf-8; charset=gbk', null],
  ['text/csv; header=present; header=present; header=present; charset=gbk', null],
  ['application/json; header=present', null],
])('mediaTypeOf reads %j as %j', (contentType, expected) => {
  expect(mediaTypeOf(contentType)).toEqual(expected);
});

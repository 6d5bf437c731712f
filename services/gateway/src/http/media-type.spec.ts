import { expect, it } from '@jest/globals';
import { mediaTypeOf } from './media-type.js';

it.each([
  ['application/json', { type: 'application/json', isUtf8: false }],
  ['Application/JSON; Charset="UTF-8" ; ', { type: 'application/json', isUtf8: true }],
  ['application/json; charset=utf8', { type: 'application/json', isUtf8: true }],
  ['application/json; odata=verbose; charset=utf-8', { type: 'application/json', isUtf8: true }],
  ['Text/CSV; header=present', { type: 'text/csv', isUtf8: false }],
  ['application/json; charset=utf-16', null],
  ['text/csv; header=present; charset=gbk', null],
  ['application/json, text/plain', null],
  ['json', null],
  ['', null],
  [`application/json;${' '.repeat(256)}`, null],
])('mediaTypeOf reads %j as %j', (contentType, expected) => {
  expect(mediaTypeOf(contentType)).toEqual(expected);
});

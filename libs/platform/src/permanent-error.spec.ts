import { expect, it } from '@jest/globals';
import { isPermanent } from './permanent-error.js';

const failure = (code?: string) => Object.assign(new Error('the store said no'), { code });

it.each<[string | undefined, string]>([
  ['25006', 'a primary that became a standby, or a standby reached too early'],
  ['57P01', 'an administrator ended the session'],
  ['57P02', 'another process crashed'],
  ['57P03', 'the server is starting, stopping or recovering'],
  ['57014', 'the statement took too long'],
  ['55P03', 'a lock was not free in time'],
  ['40001', 'a serialization failure'],
  ['40P01', 'a deadlock'],
  ['53300', 'too many connections'],
  ['53100', 'the disk is full'],
  ['08000', 'a connection exception'],
  ['08001', 'no connection could be made'],
  ['08003', 'there is no connection'],
  ['08004', 'the server refuses connections'],
  ['08006', 'the connection broke'],
  ['08P01', 'a protocol violation'],
  ['ECONNRESET', 'the socket broke'],
  [undefined, 'no answer'],
])('SQLSTATE %s (%s) is not permanent, so it is retried', (code, _what) => {
  expect(isPermanent(failure(code))).toBe(false);
});

it.each(['22001', '22P05', '23505', '23514', '54000'])('SQLSTATE %s is permanent', (code) => {
  expect(isPermanent(failure(code))).toBe(true);
});

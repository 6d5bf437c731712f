import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from '@jest/globals';
import { ResponseAdmission } from './response-admission.js';
import type { AdmissionLimits } from './limits.js';

it('the gateway holds up to 32 MiB of unread small responses per user and refuses more until some are read', () => {
  const admission = new ResponseAdmission({} as AdmissionLimits);
  const held: EventEmitter[] = [];
  const hold = (userId: string) => {
    const response = Object.assign(new EventEmitter(), { closed: false }) as unknown as ServerResponse;
    admission.admit(userId, 64 * 1024);
    admission.hold(userId, 64 * 1024, response);
    held.push(response);
  };
  const refused = expect.objectContaining({ code: 'UNAVAILABLE' });
  for (let answer = 0; answer < 512; answer += 1) hold('greedy');
  expect(() => hold('greedy')).toThrow(refused);
  expect(() => admission.admit('greedy')).toThrow(refused);
  hold('other');
  held[0]?.emit('close');
  admission.admit('greedy');
  hold('greedy');
  expect(() => hold('greedy')).toThrow(refused);
});

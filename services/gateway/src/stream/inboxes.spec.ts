import { setImmediate } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import type { ProblemError } from '@po/contracts';
import { actors } from '@po/testing/actors';
import type { FastifyRequest } from 'fastify';
import type { RpcReply } from '@po/messaging';
import { Inboxes } from './inboxes.js';

type Send = () => Promise<RpcReply>;
type Request = (
  pattern: unknown,
  payload: unknown,
  sender: FastifyRequest,
  options: { enqueue: (send: Send) => Promise<RpcReply> },
) => Promise<RpcReply>;

const REQUEST = {} as FastifyRequest;
const REFUSED: RpcReply = { status: 503, headers: {}, body: Buffer.from('{}') };

test('a stream is opened at once while the requests of a thousand open streams have no answer', async () => {
  const unanswered = new Promise<never>(() => undefined);
  const inboxes = new Inboxes({ requestAs: () => unanswered, request: () => Promise.resolve(REFUSED) });
  for (let stream = 0; stream < 1_000; stream += 1) void inboxes.since(actors.buyer, 0);
  expect(await inboxes.open(REQUEST, null)).toBe(REFUSED);
});

test('a stream is opened at once while those of another user wait for other reads of that user', async () => {
  const request: Request = (_pattern, _payload, sender, { enqueue }) =>
    sender === REQUEST ? enqueue(() => Promise.resolve(REFUSED)) : new Promise<never>(() => undefined);
  const inboxes = new Inboxes({ requestAs: () => Promise.resolve(REFUSED), request });
  for (let stream = 0; stream < 40; stream += 1) void inboxes.open({} as FastifyRequest, null);
  expect(await inboxes.open(REQUEST, null)).toBe(REFUSED);
});

test('a stream whose turn comes too late is refused, and sends no request', async () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const answer = Promise.withResolvers<RpcReply>();
  let queryCount = 0;
  const send = () => {
    queryCount += 1;
    return answer.promise;
  };
  const request: Request = (_pattern, _payload, _request, { enqueue }) => enqueue(send);
  const inboxes = new Inboxes({ requestAs: send, request });
  const opened = Array.from({ length: 40 }, () => inboxes.open(REQUEST, null).catch(({ code }: ProblemError) => code));
  await setImmediate();
  now = 3_001;
  answer.resolve(REFUSED);
  const answers = await Promise.all(opened);
  clock.mockRestore();
  expect(queryCount).toBe(32);
  expect(answers).toEqual([...Array(32).fill(REFUSED), ...Array(8).fill('UNAVAILABLE')]);
});

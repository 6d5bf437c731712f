import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Node } from './node.js';
import type { BrokerConnection } from './protocol.js';
import { FETCH, type FetchResponse, type FetchRequest } from './versioned-apis.js';

const TIMEOUT_MS = 2_500;
const ASK: FetchRequest = { maxWaitTime: 0, minBytes: 1, maxBytes: 1, isolationLevel: 1, topics: [] };
const ANSWER: FetchResponse = { errorCode: 0, topics: [] };

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A broker that answers after `answersAfterMs`, and sends bytes of the answer until `sendsUntilMs`. */
function broker({ answersAfterMs, sendsUntilMs }: { answersAfterMs: number; sendsUntilMs: number }) {
  const socket = { bytesRead: 0, destroy: () => undefined };
  const connection = {
    connectionPool: {
      pool: [{ socket }],
      send: () => new Promise((resolve) => setTimeout(() => resolve(ANSWER), answersAfterMs)),
    },
    isConnected: () => true,
    lookupRequest: () => () => ({ request: {}, response: { decode: () => Promise.resolve(ANSWER) } }),
  };
  const sending = setInterval(() => (socket.bytesRead += 1_000), 500);
  setTimeout(() => clearInterval(sending), sendsUntilMs);
  return new Node('broker:9092', () => connection as unknown as BrokerConnection);
}

describe('the time limit of a broker', () => {
  const outcome = async (node: Node, isLarge: boolean) => {
    const result = node.send(FETCH, ASK, TIMEOUT_MS, { isLarge }).then(
      () => 'answered',
      (error: Error) => error.message,
    );
    await jest.advanceTimersByTimeAsync(120_000);
    return result;
  };

  it.each([
    ['is extended while bytes of a large response arrive', 20_000, 20_000, true, 'answered'],
    [
      'ends a large response that stops arriving',
      20_000,
      9_000,
      true,
      'broker broker:9092 did not answer within 2500 ms',
    ],
    ['has a maximum for large responses', 110_000, 110_000, true, 'broker broker:9092 did not answer within 2500 ms'],
    ['is fixed for other responses', 3_000, 3_000, false, 'broker broker:9092 did not answer within 2500 ms'],
  ])('%s', async (_what, answersAfterMs, sendsUntilMs, isLarge, expected) => {
    expect(await outcome(broker({ answersAfterMs, sendsUntilMs }), isLarge)).toBe(expected);
  });
});

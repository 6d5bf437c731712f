import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest, test } from '@jest/globals';
import { type WatchedResponse, watchDownload } from './download-watch.js';

class Response extends EventEmitter implements WatchedResponse {
  closed = false;
  writableNeedDrain = true;
  socket = { bytesWritten: 0 };
}

const LIMITS = { exportDeadlineMs: 600_000, exportMinBytesPerSecond: 1_000, exportRateWindowMs: 30_000 };

test('a download whose client has already disconnected is not watched', () => {
  jest.useFakeTimers();
  watchDownload(Object.assign(new Response(), { closed: true }), LIMITS, () => undefined);
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

describe('a download', () => {
  let response: Response;
  let breaches: string[];
  beforeEach(() => {
    jest.useFakeTimers();
    response = new Response();
    breaches = [];
    watchDownload(response, LIMITS, (reason) => void breaches.push(reason));
  });
  afterEach(() => void jest.useRealTimers());

  /** Advances the clock by `seconds`; in each second the client reads `bytes`. */
  const take = (seconds: number, bytes: number) => {
    for (let second = 0; second < seconds; second += 1) {
      response.socket.bytesWritten += bytes;
      jest.advanceTimersByTime(1_000);
    }
  };

  it('is aborted once when the client reads nothing for a window', () => {
    take(29, 0);
    expect(breaches).toEqual([]);
    take(120, 0);
    expect(breaches).toEqual(['slow']);
  });

  it('is aborted when the client reads below the minimum rate', () => {
    take(31, 900);
    expect(breaches).toEqual(['slow']);
  });

  it('continues until its deadline when the client reads at the minimum rate', () => {
    take(590, 1_000);
    expect(breaches).toEqual([]);
    take(20, 1_000);
    expect(breaches).toEqual(['deadline']);
  });

  it('continues when the client has read everything sent so far, however slowly the gateway produces it', () => {
    response.writableNeedDrain = false;
    take(300, 1);
    expect(breaches).toEqual([]);
  });

  it('is no longer watched after it ends', () => {
    response.emit('close');
    take(700, 0);
    expect(breaches).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });
});

import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest, test } from '@jest/globals';
import { type WatchedResponse, watchDownload } from './download-watch.js';

class Response extends EventEmitter implements WatchedResponse {
  closed = false;
  writableNeedDrain = true;
  socket = { bytesWritten: 0 };
}

const LIMITS = { exportDeadlineMs: 600_000, exportMinBytesPerSecond: 1_000, exportRateWindowMs: 30_000 };

test('a download whose client has left already is not watched', () => {
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

  /** Lets so many seconds pass, in each of which the client takes some bytes. */
  const take = (seconds: number, bytes: number) => {
    for (let second = 0; second < seconds; second += 1) {
      response.socket.bytesWritten += bytes;
      jest.advanceTimersByTime(1_000);
    }
  };

  it('whose client takes nothing for a window is broken off, once', () => {
    take(29, 0);
    expect(breaches).toEqual([]);
    take(120, 0);
    expect(breaches).toEqual(['slow']);
  });

  it('whose client takes less than the least rate is broken off', () => {
    take(31, 900);
    expect(breaches).toEqual(['slow']);
  });

  it('whose client takes the least rate goes on until its deadline', () => {
    take(590, 1_000);
    expect(breaches).toEqual([]);
    take(20, 1_000);
    expect(breaches).toEqual(['deadline']);
  });

  it('whose client has taken all that there is goes on, however slowly it is made', () => {
    response.writableNeedDrain = false;
    take(300, 1);
    expect(breaches).toEqual([]);
  });

  it('is watched no more once it is over', () => {
    response.emit('close');
    take(700, 0);
    expect(breaches).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });
});

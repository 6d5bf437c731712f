import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it, jest } from '@jest/globals';
import { ExportPace } from './export-pace.js';

afterEach(() => void jest.useRealTimers());

it('ExportPace fetches pages one at a time, in order, and continues after one that failed', async () => {
  const pace = new ExportPace();
  const seen: string[] = [];
  let open = 0;
  const fetchPage = (name: string, fails = false) =>
    pace.run(async () => {
      open += 1;
      seen.push(`${name} with ${open} open`);
      await Promise.resolve();
      open -= 1;
      if (fails) throw new Error(name);
      return name;
    });
  const pages = await Promise.allSettled([fetchPage('a'), fetchPage('b', true), fetchPage('c')]);
  expect(pages.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(seen).toEqual(['a with 1 open', 'b with 1 open', 'c with 1 open']);
});

it('ExportPace pauses for as long as the page took, up to a limit', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  const pace = new ExportPace();
  const times: number[] = [];
  const page = (tookMs: number) =>
    pace.run(async () => {
      times.push(performance.now());
      jest.advanceTimersByTime(tookMs);
    });
  const pages = Promise.all([page(30), page(300), page(0)]);
  for (let turn = 0; turn < 50; turn += 1) {
    await nextTurn();
    jest.advanceTimersToNextTimer();
  }
  await pages;
  expect(times).toEqual([0, 60, 610]);
});

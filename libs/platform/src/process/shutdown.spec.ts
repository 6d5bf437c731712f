import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '../logger.js';
import { Health } from './health.js';
import { DRAIN_TIMEOUT_MS, type DrainStep, drainOnSignal, runDrainSteps } from './shutdown.js';

const never = () => new Promise(() => undefined);

describe('a drain', () => {
  let lines: { msg: string; step?: string }[];
  let started: [name: string, atMs: number][];
  beforeEach(() => {
    jest.useFakeTimers();
    lines = [];
    started = [];
  });
  afterEach(() => void jest.useRealTimers());

  /** Drains and returns the duration in milliseconds. */
  const drain = async (steps: DrainStep[]): Promise<number> => {
    const startedAt = performance.now();
    const logger = createLogger('test', 'info', { write: (line) => void lines.push(JSON.parse(line)) });
    const noted = steps.map(({ run, ...step }) => ({
      ...step,
      run: () => {
        started.push([step.name, performance.now() - startedAt]);
        return run();
      },
    }));
    let took: number | null = null;
    void runDrainSteps(noted, logger).then(() => (took = performance.now() - startedAt));
    while (took === null) await jest.advanceTimersByTimeAsync(100);
    return took;
  };

  it('runs its steps in sequence and continues after a failed one', async () => {
    const failing = { name: 'b', run: () => Promise.reject(new Error('no')) };
    expect(await drain([{ name: 'a', run: () => undefined }, failing, { name: 'c', run: () => undefined }])).toBe(0);
    expect(started.map(([name]) => name)).toEqual(['a', 'b', 'c']);
    expect(lines).toEqual([expect.objectContaining({ msg: 'a drain step failed', step: 'b' })]);
  });

  it('skips a step that exceeds its time limit, logs it, and runs the next one', async () => {
    const took = await drain([
      { name: 'http', run: never, timeoutMs: 10_000 },
      { name: 'pools', run: never },
      { name: 'port', run: () => undefined },
    ]);
    expect(started).toEqual([
      ['http', 0],
      ['pools', 10_000],
      ['port', 12_000],
    ]);
    expect(took).toBe(12_000);
    expect(lines.map(({ msg, step }) => [msg, step])).toEqual([
      ['a drain step took too long and was skipped', 'http'],
      ['a drain step took too long and was skipped', 'pools'],
    ]);
  });

  it('takes at most 20 s and still starts every step', async () => {
    const steps = Array.from({ length: 5 }, (_, nth) => ({ name: `${nth}`, run: never, timeoutMs: 8_000 }));
    // A timer of 0 ms fires after 1 ms.
    expect(await drain(steps)).toBeLessThan(DRAIN_TIMEOUT_MS + 10);
    expect(DRAIN_TIMEOUT_MS).toBe(20_000);
    expect(started.map(([name]) => name)).toEqual(['0', '1', '2', '3', '4']);
  });
});

it('drainOnSignal replaces the signal listeners of the startup', () => {
  const early = () => undefined;
  process.on('SIGTERM', early);
  drainOnSignal({ health: new Health(), logger: createLogger('test', 'silent'), drainDelayMs: 0, steps: [] });
  const [drain, ...others] = process.listeners('SIGTERM');
  process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT');
  expect(drain).toEqual(expect.any(Function));
  expect(others).toEqual([]);
});

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { pino } from 'pino';
import { type PartitionState, PartitionProgress } from './partition-progress.js';

const SECOND = 1_000;

describe('the progress of a partition', () => {
  const lines: { partition: number; seconds: number }[] = [];
  const logger = pino(
    { level: 'warn' },
    { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
  );
  let assigned: PartitionState[];
  let progress: PartitionProgress;
  const state = (
    partition: number,
    low: bigint | null,
    high: bigint | null,
    fetchedAt = Date.now(),
    highWatermark = high ?? 0n,
  ): PartitionState => ({
    topic: 'things.v1',
    partition,
    low,
    end: high === null ? null : { offset: high, highWatermark, at: fetchedAt },
  });
  const seconds = () => progress.withoutProgress().map((one) => one.seconds);

  beforeEach(() => {
    jest.useFakeTimers({ now: 1_000_000 });
    lines.length = 0;
    assigned = [];
    progress = new PartitionProgress('group', logger, () => assigned);
    progress.start();
  });
  afterEach(() => {
    progress.stop();
    jest.useRealTimers();
  });

  it('stalls when records wait and no offset is finished; warnings become less frequent', () => {
    assigned = [state(0, 7n, 9n), state(1, 4n, 4n)];
    for (let passed = 0; passed < 300; passed += 1) {
      // Fetches continue: partition 0 always has the same two records, partition 1 has none.
      assigned = [state(0, 7n, 9n), state(1, 4n, 4n)];
      jest.advanceTimersByTime(SECOND);
    }
    expect(seconds()[0]).toBeGreaterThan(290);
    expect(seconds()[1]).toBeLessThanOrEqual(1);
    expect(new Set(lines.map(({ partition }) => partition))).toEqual(new Set([0]));
    expect(lines.map((line) => line.seconds)).toEqual([65, 70, 80, 100, 140, 220]);
    assigned = [state(0, 8n, 9n), state(1, 4n, 4n)];
    expect(seconds()).toEqual([0, 0]);
  });

  it('stalls when no fetch succeeds or the start offset is unknown, even without a record', () => {
    const foundEmptyAt = Date.now();
    assigned = [state(0, 7n, 7n, foundEmptyAt), state(1, null, null)];
    expect(seconds()).toEqual([0, 0]);
    jest.advanceTimersByTime(65 * SECOND);
    expect(seconds()).toEqual([65, 65]);
    expect(lines.map(({ partition }) => partition)).toEqual([0, 1]);
  });

  it('stalls when a transaction stays open for longer than Kafka lets it', () => {
    const open = () => state(0, 7n, 7n, Date.now(), 9n);
    for (let minute = 0; minute <= 20; minute += 1) {
      assigned = [open()];
      expect(seconds()).toEqual([0]);
      jest.advanceTimersByTime(60 * SECOND);
    }
    assigned = [open()];
    expect(seconds()).toEqual([60]);
    assigned = [state(0, 9n, 9n)];
    expect(seconds()).toEqual([0]);
  });

  it('is measured from the assignment of the partition', () => {
    assigned = [state(0, 7n, 9n)];
    jest.advanceTimersByTime(30 * SECOND);
    assigned = [];
    jest.advanceTimersByTime(30 * SECOND);
    assigned = [state(0, 7n, 9n)];
    expect(seconds()).toEqual([0]);
  });
});

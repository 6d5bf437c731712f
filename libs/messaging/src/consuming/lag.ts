import type { IncomingRecord } from '../kafka-port.js';
import type { Lag } from '../metrics.js';
import type { OffsetTracker } from './offset-tracker.js';
import type { PartitionState } from './partition-progress.js';

/** Lag by topic. `handling`: start time of each record being handled, oldest first. */
export function lagOf(
  states: readonly (PartitionState & { tracker: OffsetTracker })[],
  handling: ReadonlyMap<IncomingRecord, number>,
): Lag[] {
  return Array.from(
    Map.groupBy(states, ({ topic }) => topic),
    ([topic, ofTopic]) => {
      const startedAt = [...handling].find(([record]) => record.topic === topic)?.[1] ?? Date.now();
      const lag = { topic, records: 0, seconds: 0, handlerSeconds: (Date.now() - startedAt) / 1_000 };
      for (const { low, end, tracker } of ofTopic) {
        // Counts by offset if possible, because a batch that cannot be decoded lags too, as does an open transaction.
        if (end !== null && low !== null) lag.records += Number(end.highWatermark - low);
        else lag.records += tracker.pending;
        if (tracker.oldestPending !== null)
          lag.seconds = Math.max(lag.seconds, (Date.now() - tracker.oldestPending) / 1_000);
      }
      return lag;
    },
  );
}

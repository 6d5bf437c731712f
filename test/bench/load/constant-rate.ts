import { setTimeout as delay } from 'node:timers/promises';

/** One request of a load at a constant rate. */
export interface Turn {
  /** Requests of one lane follow each other. */
  lane: number;
  /** On the clock of `performance.now()`: latencies count from here, whenever the lane gets to it. */
  dueAt: number;
  /** When it is due after the first one. */
  afterMs: number;
}

/** With more lanes than are ever in flight none waits for its turn. */
export interface Rate {
  perSecond: number;
  seconds: number;
  lanes: number;
}

/** Has each turn taken when it is due, whatever the ones before take (open loop); resolves when all are over. */
export async function atConstantRate(
  { perSecond, seconds, lanes: count }: Rate,
  take: (turn: Turn) => Promise<void>,
): Promise<void> {
  const lanes = Array.from({ length: count }, () => Promise.resolve());
  const startedAt = performance.now();
  const total = Math.round(perSecond * seconds);
  for (let index = 0; index < total; index += 1) {
    const afterMs = (index * 1000) / perSecond;
    const dueAt = startedAt + afterMs;
    const early = dueAt - performance.now();
    if (early > 0) await delay(early);
    const lane = index % count;
    lanes[lane] = (lanes[lane] as Promise<void>).then(() => take({ lane, dueAt, afterMs }));
  }
  await Promise.all(lanes);
}

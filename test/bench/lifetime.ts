/** Seconds since the benchmark began. */
export const elapsedS = (): number => performance.now() / 1000;

/** Tells people what is being done. */
export const progress = (line: string): void =>
  void process.stderr.write(`  ${elapsedS().toFixed(0).padStart(3)} s  ${line}\n`);

const stops: (() => Promise<void>)[] = [];
let stopping: Promise<void> | null = null;

/** Has this done when the benchmark ends, however it ends. */
export const stopInTheEnd = (stop: () => Promise<void>): void => void stops.push(stop);

/** Ends what was started until now, last first. A signal and the failure that it causes wait for the same end. */
export function stopAll(): Promise<void> {
  stopping ??= (async () => {
    for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
  })().finally(() => (stopping = null));
  return stopping;
}

/** From now on a signal ends what was started, and so does the end of the process that started this one. */
export function stopOnSignal(): void {
  const stop = () => void stopAll().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  process.once('disconnect', stop);
  // Who listens for its end keeps the channel open, and with it this process.
  process.channel?.unref();
}

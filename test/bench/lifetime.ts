/** Prints to stderr what is being done. */
export const progress = (line: string): void =>
  void process.stderr.write(`  ${(performance.now() / 1000).toFixed(0).padStart(3)} s  ${line}\n`);

const stops: (() => Promise<void>)[] = [];
let stopping: Promise<void> | null = null;

/** Calls `stop` when the benchmark ends, also after an error or a signal. */
export const stopInTheEnd = (stop: () => Promise<void>): void => void stops.push(stop);

/** Stops what was started until now, the newest first. Calls at the same time share one run. */
export function stopAll(): Promise<void> {
  stopping ??= (async () => {
    for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
  })().finally(() => (stopping = null));
  return stopping;
}

/** From now on a signal stops what was started, and so does the end of the parent process. */
export function stopOnSignal(): void {
  const stop = () => void stopAll().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  process.once('disconnect', stop);
  // A listener for `disconnect` keeps the channel open, and with it this process.
  process.channel?.unref();
}

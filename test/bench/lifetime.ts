/** Prints the current step to stderr. */
export const progress = (line: string): void =>
  void process.stderr.write(`  ${(performance.now() / 1000).toFixed(0).padStart(3)} s  ${line}\n`);

const stops: (() => Promise<void>)[] = [];
let stopping: Promise<void> | null = null;

/** Calls `stop` when the benchmark ends, also after an error or a signal. */
export const stopAtEnd = (stop: () => Promise<void>): void => void stops.push(stop);

/** Stops everything started so far, newest first. Concurrent calls share one run. */
export function stopAll(): Promise<void> {
  stopping ??= (async () => {
    for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
  })().finally(() => (stopping = null));
  return stopping;
}

/** Registers the cleanup for signals and for the end of the parent process. */
export function stopOnSignal(): void {
  const stop = () => void stopAll().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  process.once('disconnect', stop);
  // A `disconnect` listener keeps the channel open, and with it this process.
  process.channel?.unref();
}

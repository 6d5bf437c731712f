const DOUBLE_SIGNAL_MS = 1_000;
/** Exit status of an interrupted command, as shells report SIGINT. */
export const INTERRUPTED = 130;

interface StopOptions {
  stop: () => Promise<void>;
  kill: () => void;
  /** Exit status after the stop: 0, or another one if the command should have produced a result, like tests. */
  status?: number;
}

/**
 * Runs `stop` and exits on the first SIGTERM, SIGINT or SIGHUP, or when the parent process or the reader of the output is gone. A signal
 * more than a second later runs `kill` and exits with 1. An earlier one is ignored, because terminal and parent may both send the first.
 */
export function stopOnSignal({ stop, kill, status = 0 }: StopOptions): void {
  let firstAt: number | null = null;
  const stopOnce = () => {
    if (firstAt === null) {
      firstAt = performance.now();
      stop().then(
        () => exit(status),
        (error: unknown) => {
          process.stderr.write(`${messageOf(error)}\n`);
          kill();
          return exit(1);
        },
      );
    } else if (performance.now() - firstAt > DOUBLE_SIGNAL_MS) {
      kill();
      process.exit(1);
    }
  };
  process.on('SIGTERM', stopOnce);
  process.on('SIGINT', stopOnce);
  process.on('SIGHUP', stopOnce);
  process.once('disconnect', stopOnce);
  // The reader is gone: a closed terminal, or `| head`. Without a listener, the error would end this process before its children.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => firstAt === null && stopOnce());
}

/** Message of an error, without the stack. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs a command and exits with its status. An error is printed and exits with 1. */
export async function runCommand(main: () => Promise<number>): Promise<never> {
  let status = 1;
  try {
    status = await main();
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
  }
  return exit(status);
}

/** Exits when the output is written, because `process.exit` drops what a slow reader of a pipe has not taken yet. */
async function exit(status: number): Promise<never> {
  const written = [process.stdout, process.stderr].map((stream) => {
    // If the reader is gone, nothing more can be written.
    stream.on('error', () => undefined);
    return new Promise<void>((resolve) => void stream.write('', () => resolve()));
  });
  await Promise.all(written);
  process.exit(status);
}

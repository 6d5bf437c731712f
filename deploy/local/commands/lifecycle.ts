const DOUBLE_SIGNAL_MS = 1_000;
/** Exit status of what was interrupted, as of shells at SIGINT. */
export const INTERRUPTED = 130;

interface StopOptions {
  stop: () => Promise<void>;
  kill: () => void;
  /** Exit status when it has stopped: 0, unless the command was to have a result, as tests are. */
  status?: number;
}

/**
 * Runs `stop` on the first SIGTERM or SIGINT, or when the process that started this one or the reader of its output is gone, and exits.
 * A signal more than a second later runs `kill` and exits 1: the first may come twice, from the terminal and from the process above.
 */
export function stopOnSignal({ stop, kill, status = 0 }: StopOptions): void {
  let firstAt: number | null = null;
  const stopOnce = () => {
    if (firstAt === null) {
      firstAt = performance.now();
      stop().then(
        () => process.exit(status),
        (error: unknown) => {
          process.stderr.write(`${describe(error)}\n`);
          kill();
          process.exit(1);
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
  // Nobody reads on: the terminal was closed, or `| head` has enough. Unheard, the error would end this process before all it started.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => firstAt === null && stopOnce());
}

/** The message of an error for people, without the stack. */
export const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs a command and ends this process with the status it resolves with; an error is printed and is status 1. */
export async function runCommand(main: () => Promise<number>): Promise<never> {
  try {
    process.exit(await main());
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    process.exit(1);
  }
}

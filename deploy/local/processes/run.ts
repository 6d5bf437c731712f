import { type ChildProcess, spawn } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { childEnvironment } from '../config.js';

export interface CommandOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
  /** Ends the command. */
  signal?: AbortSignal;
  /** Lowest niceness of the command: see `makeNice`. */
  niceness?: number;
}

/**
 * Gives a started command at least this niceness, so that it only uses processor time that tests with deadlines leave. Only root may give
 * it a lower one than that of this process.
 */
export function makeNice({ pid }: ChildProcess, niceness: number): void {
  if (pid !== undefined) setPriority(pid, Math.max(niceness, getPriority()));
}

export interface Outcome {
  /** Null if a signal ended the program. */
  code: number | null;
  /** Standard output. */
  output: string;
  /** All output. */
  text: string;
}

/** Runs a program to its end, whatever its exit code. Rejects if it does not start. */
export function outcomeOf(
  command: string,
  args: readonly string[],
  { niceness, ...options }: CommandOptions = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: childEnvironment({}), ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    if (niceness !== undefined) makeNice(child, niceness);
    const [out, all]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => void (out.push(chunk), all.push(chunk)));
    child.stderr.on('data', (chunk: Buffer) => void all.push(chunk));
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new Error(`${command} is not installed or not on the PATH`) : error),
    );
    child.on('close', (code) =>
      resolve({ code, output: Buffer.concat(out).toString(), text: Buffer.concat(all).toString() }),
    );
  });
}

/** Runs a program to its end. Resolves with its standard output; rejects with all its output if it fails. */
export async function run(command: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { code, output, text } = await outcomeOf(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args[0] ?? ''} failed (${code}):\n${text.trim()}`);
  return output;
}

/** Output of a program; null if it cannot run or fails. */
export const tryRun = (
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string | null> => run(command, args, options).catch(() => null);

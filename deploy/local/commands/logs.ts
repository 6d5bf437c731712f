import { readSettings } from '../config.js';
import { logsIn, sourcesIn } from '../logs/log-files.js';
import { type LogLine, formatLine, isAtLeast } from '../logs/log-line.js';
import { LogReader } from '../logs/log-reader.js';
import { isServiceLog } from '../stack/services.js';
import { runCommand, stopOnSignal } from './lifecycle.js';
import { readLogsArguments } from './logs-arguments.js';
import { paint } from './paint.js';

/** Of each log, where not all of it is asked for; enough for some twenty lines of the quietest. */
const TAIL_BYTES = 16 * 1024;
const TAIL_LINES = 20;

/** `npm run logs -- gateway --level warn`: what the services log, for people. */
async function main(): Promise<number> {
  const { names, level, sinceStart, follow } = readLogsArguments(process.argv.slice(2));
  const folder = logsIn(readSettings().dir);
  const wanted = names.length === 0 ? isServiceLog : (source: string) => names.some((name) => isOf(source, name));
  await requireLogs(folder, names, wanted);
  const show = (lines: readonly LogLine[]) => {
    for (const line of lines) process.stdout.write(`${formatLine(line, paint)}\n`);
  };
  const shown = (lines: readonly LogLine[]) => lines.filter((line) => isAtLeast(line, level));

  const reader = new LogReader(folder, wanted, sinceStart ? Infinity : TAIL_BYTES);
  const before = shown(await reader.read());
  show(sinceStart ? before : before.slice(-TAIL_LINES));
  if (!follow) return 0;
  const stopping = new AbortController();
  stopOnSignal({ stop: () => Promise.resolve(stopping.abort()), kill: () => undefined });
  await reader.follow((lines) => show(shown(lines)), stopping.signal);
  return 0;
}

/** A service's name means every replica of it. */
const isOf = (source: string, name: string): boolean => source === name || source.replace(/-\d+$/, '') === name;

async function requireLogs(
  folder: string,
  names: readonly string[],
  wanted: (source: string) => boolean,
): Promise<void> {
  const present = await sourcesIn(folder);
  const missing = names.find((name) => !present.some((source) => isOf(source, name)));
  if (missing !== undefined) {
    throw new Error(`there is no log of "${missing}" in ${folder}; there are: ${present.join(', ') || 'none'}`);
  }
  if (!present.some(wanted)) {
    throw new Error(
      `no service writes to ${folder}: "npm start" on a terminal makes them; in a pipe, or with --logs, their lines are in its output`,
    );
  }
}

// The reader of a pipe, such as head, has seen enough.
process.stdout.on('error', () => process.exit(0));

await runCommand(main);

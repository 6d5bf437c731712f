import { readSettings } from '../config.js';
import { argumentsOf } from '../option-values.js';
import { logsIn, sourcesIn } from '../logs/log-files.js';
import { LEVELS, type LogLine, formatLine, isAtLeast } from '../logs/log-line.js';
import { LogReader } from '../logs/log-reader.js';
import { isServiceLog } from '../stack/services.js';
import { runCommand, stopOnSignal } from './lifecycle.js';
import { paint } from './paint.js';

/** Bytes of each log to read at the start, enough for about twenty lines of a quiet one. */
const TAIL_BYTES = 16 * 1024;
const TAIL_LINES = 20;

/** `npm run logs -- gateway --level warn`: follows the logs of services, replicas (`gateway-2`) or stores in readable form. */
async function main(): Promise<number> {
  const { positionals: names, values } = argumentsOf({
    allowPositionals: true,
    options: { level: { type: 'string', default: 'trace' } },
  });
  const level = LEVELS.find((known) => known === values.level);
  if (!level) throw new Error(`--level takes one of ${LEVELS.join(', ')}, not "${values.level}"`);
  const folder = logsIn(readSettings().dir);
  const wanted = names.length === 0 ? isServiceLog : (source: string) => names.some((name) => isOf(source, name));
  await requireLogs(folder, names, wanted);
  const show = (lines: readonly LogLine[]) => {
    for (const line of lines) process.stdout.write(`${formatLine(line, paint)}\n`);
  };
  const shown = (lines: readonly LogLine[]) => lines.filter((line) => isAtLeast(line, level));

  const reader = new LogReader(folder, wanted, TAIL_BYTES);
  show(shown(await reader.read()).slice(-TAIL_LINES));
  const stopping = new AbortController();
  stopOnSignal({ stop: () => Promise.resolve(stopping.abort()), kill: () => undefined });
  await reader.follow((lines) => show(shown(lines)), stopping.signal);
  return 0;
}

/** Whether a source has this name. The name of a service covers all its replicas. */
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
      `no service logs to ${folder}: "npm start" writes log files only on a terminal; in a pipe, or with --logs, the lines are in its output`,
    );
  }
}

// The reader may close the pipe early, like `| head`.
process.stdout.on('error', () => process.exit(0));

await runCommand(main);

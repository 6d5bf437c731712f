import { escapeControlCharacters } from '@po/platform';

/** Log levels, least severe first. */
export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type Level = (typeof LEVELS)[number];

interface Entry {
  /** RFC 3339, UTC. */
  time: string;
  level: Level;
  msg: string;
  /** All other fields. */
  fields: Record<string, unknown>;
}

export interface LogLine {
  /** File name without extension, such as `gateway` or `gateway-2`. */
  source: string;
  text: string;
  /** Null for a line that is not from the logger, such as the last output of a crashed process. */
  entry: Entry | null;
}

/** Colors a text, or returns it unchanged. */
export type Paint = (color: 'dim' | 'yellow' | 'red', text: string) => string;

const isLevel = (value: unknown): value is Level => (LEVELS as readonly unknown[]).includes(value);

/** Parses a line of a log file, without its line break. */
export function parseLine(source: string, text: string): LogLine {
  return { source, text, entry: parseEntry(text) };
}

function parseEntry(text: string): Entry | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { time, level, msg, ...fields } = value as Record<string, unknown>;
  if (typeof time !== 'string' || !isLevel(level)) return null;
  return { time, level, msg: typeof msg === 'string' ? msg : '', fields };
}

/** Whether a line is at least this severe. A line without a level always is, because it may come from a crash. */
export const isAtLeast = ({ entry }: LogLine, level: Level): boolean =>
  entry === null || LEVELS.indexOf(entry.level) >= LEVELS.indexOf(level);

/** Key of similar lines: everything except the details in which they differ. */
export function kindOf({ source, text, entry }: LogLine): string {
  if (!entry) return JSON.stringify([source, text]);
  const { level, msg, fields } = entry;
  return JSON.stringify([source, level, msg, errorOf(fields)?.message, fields.status, fields.code]);
}

/** Formats local time, level, source, message and fields. With `width`, one line of at most that width; otherwise everything. */
export function formatLine({ source, text, entry }: LogLine, paint: Paint, width?: number): string {
  const time = entry ? localTime(entry.time) : ''.padEnd(TIME_WIDTH);
  const level = (entry?.level ?? '').toUpperCase().padEnd(LEVEL_WIDTH);
  const name = source.padEnd(SOURCE_WIDTH);
  const head = `${time} ${level} ${name} `.length;
  const body = cut(entry ? bodyOf(entry) : escapeControlCharacters(text), width && Math.max(width - head, 1));
  const painted = `${paint('dim', time)} ${paint(colorOf(entry), level)} ${name} ${body}`;
  return width === undefined && entry ? `${painted}${stackOf(entry)}` : painted;
}

const TIME_WIDTH = '00:00:00.000'.length;
const LEVEL_WIDTH = 5;
const SOURCE_WIDTH = 'purchase-orders-2'.length;
/** Fields that are in every line or useless to a reader; they remain in the file. */
const OMITTED_FIELDS = new Set(['service', 'version', 'traceId', 'err']);

const localTime = (time: string): string =>
  `${new Date(time).toLocaleTimeString('en-GB', { hour12: false })}${time.slice(19, 23)}`;

function colorOf(entry: Entry | null): 'dim' | 'yellow' | 'red' {
  if (!entry) return 'red';
  if (LEVELS.indexOf(entry.level) < LEVELS.indexOf('warn')) return 'dim';
  return entry.level === 'warn' ? 'yellow' : 'red';
}

function bodyOf({ msg, fields }: Entry): string {
  const error = errorOf(fields);
  const { requestId, ...others } = fields;
  const shown = Object.entries({ ...others, requestId }).flatMap(([name, value]) =>
    OMITTED_FIELDS.has(name) || value === undefined ? [] : [`${name}=${valueText(value)}`],
  );
  return escapeControlCharacters([error ? `${msg}: ${error.message}` : msg, ...shown].join(' '));
}

const valueText = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);

function errorOf({ err }: Record<string, unknown>): { message: string; stack: string } | null {
  if (typeof err !== 'object' || err === null) return null;
  const { message, stack } = err as Record<string, unknown>;
  return { message: typeof message === 'string' ? message : '', stack: typeof stack === 'string' ? stack : '' };
}

/** Stack frames without the first line, which repeats the message. */
function stackOf({ fields }: Entry): string {
  const frames = (errorOf(fields)?.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return frames.map((frame) => `\n${' '.repeat(TIME_WIDTH)} ${escapeControlCharacters(frame.trim())}`).join('');
}

const cut = (text: string, width: number | undefined): string =>
  width === undefined || text.length <= width ? text : `${text.slice(0, width - 1)}…`;

import { escapeControlCharacters, escapeControlCharactersInLines } from '@po/platform';
import { type DeadLetter, positionName } from './redrive.js';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const MAX_REASON = 160;

/** A dead letter as one line: position, origin, key, time and reason. */
export function summaryLine({ position, origin, reason, record }: DeadLetter): string {
  const short = reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}…` : reason;
  return [
    positionName(position),
    `from ${origin ? positionName(origin) : 'unknown'}`,
    `key ${keyText(record.key)}`,
    new Date(record.timestamp).toISOString(),
    escapeControlCharacters(short),
  ].join('  ');
}

/** A dead letter with its headers, an empty line and its value: JSON as text, any other value in hexadecimal. */
export function fullText({ position, record }: DeadLetter): string {
  const headers = Object.entries(record.headers).map(
    ([name, value]) => `${escapeControlCharacters(name)}: ${escapeControlCharacters(value)}`,
  );
  return [positionName(position), `key: ${keyText(record.key)}`, ...headers, '', valueText(record.value)].join('\n');
}

const keyText = (key: Buffer | null): string => (key === null ? 'null' : escapeControlCharacters(key.toString('utf8')));

function valueText(value: Buffer | null): string {
  if (value === null) return 'null: the record has no value';
  try {
    const text = strictUtf8.decode(value);
    JSON.parse(text);
    return escapeControlCharactersInLines(text);
  } catch {
    return value.toString('hex');
  }
}

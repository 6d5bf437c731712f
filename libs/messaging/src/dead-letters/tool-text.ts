import { escapeControlCharacters, escapeControlCharactersInLines } from '@po/platform';
import { type DeadLetter, placeName } from './redrive.js';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const MAX_REASON = 160;

/** A dead letter as one line: place, origin, key, time and reason. */
export function summaryLine({ place, origin, reason, record }: DeadLetter): string {
  const short = reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}…` : reason;
  return [
    placeName(place),
    `from ${origin ? placeName(origin) : 'unknown'}`,
    `key ${keyText(record.key)}`,
    new Date(record.timestamp).toISOString(),
    escapeControlCharacters(short),
  ].join('  ');
}

/** A dead letter with its headers, an empty line and its value: JSON as text, any other value in hexadecimal. */
export function fullText({ place, record }: DeadLetter): string {
  const headers = Object.entries(record.headers).map(
    ([name, value]) => `${escapeControlCharacters(name)}: ${escapeControlCharacters(value)}`,
  );
  return [placeName(place), `key: ${keyText(record.key)}`, ...headers, '', valueText(record.value)].join('\n');
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

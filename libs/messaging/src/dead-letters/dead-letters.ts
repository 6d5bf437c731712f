import { HEADERS, type Group, deadLetterTopic } from '@po/contracts';
import { type Logger, retry, shouldLog } from '@po/platform';
import { type IncomingRecord, RecordRefusedError } from '../kafka-port.js';
import { deadLetters } from '../metrics.js';
import type { Publisher } from '../publishing/publisher.js';

const MAX_REASON = 1_000;
const RETRY = { initialMs: 50, maxMs: 5_000 };

/**
 * Writes a record that can never be handled to its group's dead-letter topic: original bytes, key and headers, plus headers for reason
 * and origin. Value and headers are left out if it is unreadable or if that topic refuses it, for example as too large. Retries until the
 * letter is stored or `stopped` turns true; resolves with whether it is stored.
 */
export async function deadLetter(
  publisher: Publisher,
  group: Group,
  record: IncomingRecord,
  reason: string,
  logger: Logger,
  stopped: () => boolean,
): Promise<boolean> {
  const { topic, partition, offset } = record;
  logger.error({ group, topic, partition, offset, reason }, 'a record goes to the dead-letter topic');
  const origin = {
    [HEADERS.deadLetterReason]: reason.slice(0, MAX_REASON),
    [HEADERS.deadLetterTopic]: topic,
    [HEADERS.deadLetterPartition]: String(partition),
    [HEADERS.deadLetterOffset]: offset,
  };
  const { key, value, rawHeaders } = record;
  const copy = { topic: deadLetterTopic(group), key, value, headers: { ...rawHeaders, ...origin } };
  const headers = { ...origin, [HEADERS.deadLetterWithout]: 'record' };
  const withoutCopy = { topic: deadLetterTopic(group), key, value: null, headers };
  let letter = record.unreadable === undefined ? copy : withoutCopy;
  const stored = await retry(() => publisher.send(letter), {
    ...RETRY,
    stopped,
    onError: (error, failures) => {
      if (error instanceof RecordRefusedError) letter = withoutCopy;
      const why = { err: error, group, topic, partition, offset };
      logger[shouldLog(failures) ? 'warn' : 'debug'](why, 'a dead letter could not be stored; trying again');
    },
  });
  if (stored) deadLetters.inc({ group });
  return stored;
}

import { HEADERS, type Group, deadLetterTopic } from '@po/contracts';
import { type Logger, retry } from '@po/platform';
import type { IncomingRecord } from '../kafka-port.js';
import { deadLetters } from '../metrics.js';
import type { Publisher } from '../publishing/publisher.js';

const MAX_REASON = 1_000;
const RETRY = { firstMs: 50, lastMs: 5_000 };

/**
 * Puts a record that can never be handled on its group's dead-letter topic: original bytes, key and headers, and the reason and
 * origin beside them. Tries until it is stored or `stopped`; answers whether it is.
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
  logger.error({ group, topic, partition, offset, reason }, 'record sent to the dead-letter topic');
  const send = () =>
    publisher.send({
      topic: deadLetterTopic(group),
      key: record.key,
      value: record.value,
      headers: {
        ...record.rawHeaders,
        [HEADERS.deadLetterReason]: reason.slice(0, MAX_REASON),
        [HEADERS.deadLetterTopic]: topic,
        [HEADERS.deadLetterPartition]: String(partition),
        [HEADERS.deadLetterOffset]: offset,
      },
    });
  const stored = await retry(send, { ...RETRY, stopped });
  if (stored) deadLetters.inc({ group });
  return stored;
}

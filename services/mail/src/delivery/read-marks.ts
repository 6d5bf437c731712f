import { randomUUID } from 'node:crypto';
import { PATTERNS, ReadMark } from '@po/contracts';
import { type KafkaRpcClient, NO_ACTOR } from '@po/messaging';
import { type Logger, childTraceparent, parseJson, pause } from '@po/platform';
import { z } from 'zod';

const MAX_IDS = 1_000;
/** Kafka and the notifications service may be starting as well. */
const START_MS = 60_000;
const RETRY_DELAY_MS = 500;
const Marks = z.array(ReadMark);

/**
 * Whether the user has read each notification. Omits those that the user may no longer see or wants no mail about. Null if the
 * notifications service did not answer.
 */
export type ReadMarks = (ids: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, boolean> | null>;

type ReadMarksClient = Pick<KafkaRpcClient, 'request'>;

/** Requests read marks from the notifications service. Until its first answer, retries for at most `startMs`. */
export function readMarksFrom(client: ReadMarksClient, logger: Logger, startMs = START_MS): ReadMarks {
  let retryUntil: number | null = null;
  return async (ids, signal) => {
    retryUntil ??= performance.now() + startMs;
    for (;;) {
      try {
        const marks = await ask(client, ids);
        retryUntil = 0;
        return marks;
      } catch (error) {
        if (!signal.aborted && performance.now() < retryUntil) await pause(RETRY_DELAY_MS, signal);
        else {
          logger.warn({ err: error }, 'the notifications service returned no read marks; the mail is sent anyway');
          return null;
        }
      }
    }
  };
}

async function ask(client: ReadMarksClient, ids: readonly string[]): Promise<Map<string, boolean>> {
  const marks = new Map<string, boolean>();
  for (let from = 0; from < ids.length; from += MAX_IDS) {
    const query = { ids: ids.slice(from, from + MAX_IDS) };
    const requestId = randomUUID();
    const { status, body } = await client.request(PATTERNS.readMarks, query, {
      actorToken: NO_ACTOR,
      requestId,
      traceparent: childTraceparent(undefined),
      locale: 'en',
      path: '/mail',
      key: requestId,
    });
    if (status !== 200) throw new Error(`the notifications service answered ${status}`);
    for (const { id, read } of Marks.parse(parseJson(body))) marks.set(id, read);
  }
  return marks;
}

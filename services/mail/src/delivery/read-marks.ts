import { randomUUID } from 'node:crypto';
import { PATTERNS, ReadMark } from '@po/contracts';
import type { KafkaRpcClient } from '@po/messaging';
import { type Logger, childTraceparent, parseJson, pause } from '@po/platform';
import { z } from 'zod';

const MAX_IDS = 1_000;
/** Kafka and the other service may be starting, too. */
const START_MS = 60_000;
const AGAIN_MS = 500;
const Marks = z.array(ReadMark);

/**
 * Whether each of these notifications was read by its user; those that its user may not see or wants no mail of any more are missing. Null:
 * nobody answered.
 */
export type ReadMarks = (ids: readonly string[], signal: AbortSignal) => Promise<ReadonlyMap<string, boolean> | null>;

type Asked = Pick<KafkaRpcClient, 'request'>;

/** Asks the service that has the inboxes; until its first answer again and again, for `startMs` at most. */
export function askedOf(client: Asked, logger: Logger, startMs = START_MS): ReadMarks {
  let patientUntil: number | null = null;
  return async (ids, signal) => {
    patientUntil ??= performance.now() + startMs;
    for (;;) {
      try {
        const marks = await ask(client, ids);
        patientUntil = 0;
        return marks;
      } catch (error) {
        if (!signal.aborted && performance.now() < patientUntil) await pause(AGAIN_MS, signal);
        else {
          logger.warn({ err: error }, 'the notifications service does not say what was read; the mail is sent anyway');
          return null;
        }
      }
    }
  };
}

async function ask(client: Asked, ids: readonly string[]): Promise<Map<string, boolean>> {
  const marks = new Map<string, boolean>();
  for (let from = 0; from < ids.length; from += MAX_IDS) {
    const query = { ids: ids.slice(from, from + MAX_IDS) };
    const requestId = randomUUID();
    const { status, body } = await client.request(PATTERNS.readMarks, query, {
      actorToken: '',
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

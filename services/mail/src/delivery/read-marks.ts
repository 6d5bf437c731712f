import { randomUUID } from 'node:crypto';
import { PATTERNS, ReadMark } from '@po/contracts';
import type { KafkaRpcClient } from '@po/messaging';
import { type Logger, childTraceparent, parseJson } from '@po/platform';
import { z } from 'zod';

const AT_ONCE = 1_000;
const Marks = z.array(ReadMark);

/**
 * Whether each of these notifications was read by its user; those that its user may not see or wants no mail of any more are missing. Null:
 * nobody answered.
 */
export type ReadMarks = (ids: readonly string[]) => Promise<ReadonlyMap<string, boolean> | null>;

/** Asks the service that has the inboxes. */
export const askedOf =
  (client: KafkaRpcClient, logger: Logger): ReadMarks =>
  async (ids) => {
    const marks = new Map<string, boolean>();
    try {
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        const query = { ids: ids.slice(from, from + AT_ONCE) };
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
    } catch (error) {
      logger.warn({ err: error }, 'nobody says whether notifications were read; their mail is sent');
      return null;
    }
  };

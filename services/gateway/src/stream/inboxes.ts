import { type Actor, type Notification, type NotificationsSince, PATTERNS } from '@po/contracts';
import { type RpcReply, unavailable } from '@po/messaging';
import type { FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { z } from 'zod';
import { type Upstream, jsonOf } from '../routes/upstream.js';
import { eventText } from './server-sent-events.js';

/** Notifications per answer, which limits what a client that catches up has in memory here. */
const LIMIT = 50;
/** Concurrent requests, of streams that are being opened and of open ones: thousands of streams must leave room for other requests. */
const CONCURRENCY = 32;
/** Maximum time that a request to open a stream waits for its turn: as long as it then waits for its answer. */
const MAX_WAIT_MS = 3_000;

/** Notifications after a position in an inbox; each item as sent over the wire. */
export interface Page extends Omit<NotificationsSince, 'items'> {
  items: { number: number; text: string }[];
}

// Fields that a newer service adds to an item are passed on.
const AnyNotification = z.custom<Notification>((value) => z.object({ id: z.string() }).safeParse(value).success);
const Answer = z.object({
  items: z.array(z.object({ number: z.int(), notification: AnyNotification })),
  at: z.int(),
  more: z.boolean(),
  unread: z.int(),
  reset: z.boolean(),
});

/** Requests new notifications of an inbox from the notifications service. */
export class Inboxes {
  private readonly opening = pLimit(CONCURRENCY);
  // Separate, because the requests of open streams are repeated while they get no answer.
  private readonly following = pLimit(CONCURRENCY);

  constructor(private readonly upstream: Pick<Upstream, 'request' | 'requestAs'>) {}

  /**
   * First page of a request that opens a stream, or the service's response if it is not 200. Throws UNAVAILABLE if its turn does not come
   * in time.
   */
  async open(request: FastifyRequest, after: string | null): Promise<Page | RpcReply> {
    const query = { after, limit: LIMIT };
    const since = performance.now();
    const response = await this.upstream.request(PATTERNS.notificationsSince, query, request, {
      enqueue: (send) =>
        this.opening(() => {
          if (performance.now() - since > MAX_WAIT_MS) throw unavailable(1);
          return send();
        }),
    });
    return response.status === 200 ? pageOf(response) : response;
  }

  /** Notifications after an earlier answer. Rejects if the answer is not 200. */
  async since(actor: Actor, after: number): Promise<Page> {
    const query = { after, limit: LIMIT };
    const response = await this.following(() => this.upstream.requestAs(actor, PATTERNS.notificationsSince, query));
    if (response.status !== 200) throw new Error(`the notifications service answered ${response.status}`);
    return pageOf(response);
  }
}

function pageOf({ body }: RpcReply): Page {
  const { items, ...page } = Answer.parse(jsonOf(body));
  return {
    ...page,
    items: items.map(({ number, notification }) => ({
      number,
      text: eventText('notification', notification, notification.id),
    })),
  };
}

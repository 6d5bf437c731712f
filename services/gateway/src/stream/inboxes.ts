import { type Actor, type Notification, type NotificationsSince, PATTERNS } from '@po/contracts';
import { type RpcResponse, unavailable } from '@po/messaging';
import type { FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { z } from 'zod';
import { type Upstream, jsonOf } from '../routes/upstream.js';
import { eventText } from './server-sent-events.js';

/** Notifications of one answer: what a catching up client has in memory here at a time. */
const LIMIT = 50;
/** Questions at a time, of streams that open and of those that are open: thousands of streams must leave room for the requests of others. */
const CONCURRENCY = 32;
/** For how long a request that opens a stream waits for its turn: as long as it then waits for its answer. */
const MAX_WAIT_MS = 3_000;

/** What came into an inbox after a place in it; each item as it goes over the wire. */
export interface Page extends Omit<NotificationsSince, 'items'> {
  items: { number: number; text: string }[];
}

// What a newer service adds to an item is passed on.
const AnyNotification = z.custom<Notification>((value) => z.object({ id: z.string() }).safeParse(value).success);
const Answer = z.object({
  items: z.array(z.object({ number: z.int(), notification: AnyNotification })),
  at: z.int(),
  more: z.boolean(),
  unread: z.int(),
  reset: z.boolean(),
});

/** Asks the notifications service what came into an inbox. */
export class Inboxes {
  private readonly opening = pLimit(CONCURRENCY);
  // Apart: while no answers come, the questions of open streams are asked again and again.
  private readonly following = pLimit(CONCURRENCY);

  constructor(private readonly upstream: Pick<Upstream, 'request' | 'requestAs'>) {}

  /** For a request that opens a stream; what is no good answer is its refusal. Throws UNAVAILABLE when its turn does not come. */
  async open(request: FastifyRequest, after: string | null): Promise<Page | RpcResponse> {
    const question = { after, limit: LIMIT };
    const since = performance.now();
    const response = await this.opening(() => {
      if (performance.now() - since > MAX_WAIT_MS) throw unavailable(1);
      return this.upstream.request(PATTERNS.notificationsSince, question, request);
    });
    return response.status === 200 ? pageOf(response) : response;
  }

  /** What came after an earlier answer. Rejects when there is none. */
  async since(actor: Actor, after: number): Promise<Page> {
    const question = { after, limit: LIMIT };
    const response = await this.following(() => this.upstream.requestAs(actor, PATTERNS.notificationsSince, question));
    if (response.status !== 200) throw new Error(`answered ${response.status}`);
    return pageOf(response);
  }
}

function pageOf({ body }: RpcResponse): Page {
  const { items, ...page } = Answer.parse(jsonOf(body));
  return {
    ...page,
    items: items.map(({ number, notification }) => ({
      number,
      text: eventText('notification', notification, notification.id),
    })),
  };
}

import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { type Notification, type NotificationsSince, type NotificationsSinceQuery, PATTERNS } from '@po/contracts';
import { ProblemError } from '@po/contracts';
import { type Reply, type RpcContext, ok } from '@po/messaging';

/** One user's inbox as the gateway is told of it. */
export class KeptInbox {
  unread = 0;
  /** What was asked so far. */
  readonly questions: NotificationsSinceQuery[] = [];
  /** For which vendors that was. */
  readonly askers: (string | null)[] = [];
  /** Instead of an answer. */
  refusal: ProblemError | null = null;
  /** Every answer waits for it. */
  held: Promise<void> | null = null;
  readonly items: NotificationsSince['items'] = [];

  /** Adds unread ones, and answers their ids. */
  add(count = 1, comment: string | null = null): string[] {
    const added = Array.from({ length: count }, () => {
      const number = this.items.length + 1;
      // What a gateway passes on it need not understand.
      const notification = { id: `n-${number}`, comment, since: 'tomorrow' } as Partial<Notification> as Notification;
      this.items.push({ number, notification });
      return notification.id;
    });
    this.unread += count;
    return added;
  }

  since({ after, limit }: NotificationsSinceQuery): NotificationsSince {
    const last = this.items.length;
    const from = after === null ? last : typeof after === 'number' ? after : this.numberOf(after);
    const items = from === null ? [] : this.items.slice(from, from + limit);
    const at = items.at(-1)?.number ?? from ?? last;
    return { items, at, more: items.length === limit, unread: this.unread, reset: from === null };
  }

  private numberOf(id: string): number | null {
    return this.items.find(({ notification }) => notification.id === id)?.number ?? null;
  }
}

/** Stands behind the gateway for the notifications service, with an inbox of its own for each user. */
export function keptInboxes() {
  const inboxes = new Map<string, KeptInbox>();
  const of = (userId: string): KeptInbox => {
    const inbox = inboxes.get(userId) ?? new KeptInbox();
    inboxes.set(userId, inbox);
    return inbox;
  };

  @Controller()
  class Service {
    @MessagePattern(PATTERNS.notificationsSince.type)
    async since(@Payload() query: NotificationsSinceQuery, @Ctx() { actor }: RpcContext): Promise<Reply> {
      const inbox = of(actor.sub);
      inbox.questions.push(query);
      inbox.askers.push(actor.vendorCode);
      const answer = inbox.since(query);
      await inbox.held;
      if (inbox.refusal) throw inbox.refusal;
      return ok(answer);
    }
  }
  return { Service, of };
}

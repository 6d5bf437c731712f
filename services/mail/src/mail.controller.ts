import { Controller } from '@nestjs/common';
import {
  type DeleteSuppression,
  EVENT_TYPES,
  type NoParameters,
  PATTERNS,
  ProblemError,
  type Suppression,
  type UnsubscribeQuery,
  type Unsubscription,
  type UserDeleted,
  type UserSeen,
} from '@po/contracts';
import { HandleEvent, RequestPattern, type Reply, type RpcContext, ok } from '@po/messaging';
import { Suppressions } from './delivery/suppressions.js';
import { QueueService } from './queue/queue.service.js';
import { UserDirectory } from './queue/user-directory.service.js';
import type { QueuedNotification } from './queue/queued-notification.js';
import { EVENTS } from './subscriptions.js';
import { UnsubscribeTokens } from './unsubscribe/tokens.js';

@Controller()
export class MailController {
  constructor(
    private readonly queue: QueueService,
    private readonly users: UserDirectory,
    private readonly suppressed: Suppressions,
    private readonly tokens: UnsubscribeTokens,
  ) {}

  @RequestPattern(PATTERNS.suppressions)
  suppressions(_query: NoParameters, { actor }: RpcContext): Promise<Reply<Suppression[]>> {
    return this.suppressed.list(actor);
  }

  @RequestPattern(PATTERNS.deleteSuppression)
  deleteSuppression(command: DeleteSuppression, context: RpcContext): Promise<Reply<never>> {
    return this.suppressed.remove(command, context);
  }

  /** Throws BAD_REQUEST for a token that this service did not sign. */
  @RequestPattern(PATTERNS.unsubscription)
  async unsubscription({ token }: UnsubscribeQuery, _context: RpcContext): Promise<Reply<Unsubscription>> {
    const unsubscription = await this.tokens.read(token);
    if (!unsubscription) throw new ProblemError('BAD_REQUEST');
    return ok(unsubscription);
  }

  @HandleEvent(EVENTS, EVENT_TYPES.notificationCreated)
  notified(notification: QueuedNotification): Promise<void> {
    return this.queue.add(notification);
  }

  @HandleEvent(EVENTS, EVENT_TYPES.userSeen)
  userSeen(user: UserSeen): Promise<void> {
    return this.users.seen(user);
  }

  @HandleEvent(EVENTS, EVENT_TYPES.userDeleted)
  userDeleted(user: UserDeleted): Promise<void> {
    return this.users.deleted(user);
  }
}

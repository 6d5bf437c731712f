import { Controller } from '@nestjs/common';
import {
  EVENT_TYPES,
  type Message,
  type MessageQuery,
  type MessagesQuery,
  PATTERNS,
  type Participant,
  type ParticipantsQuery,
  type PostMessage,
  USER_EVENTS,
  type UserDeleted,
  type UserSeen,
} from '@po/contracts';
import { HandleEvent, RequestPattern, type Reply, type RpcContext } from '@po/messaging';
import { ConversationQueries } from './conversation.queries.js';
import { ConversationService } from './conversation.service.js';
import { UserDirectory } from './user-directory.service.js';

@Controller()
export class ConversationController {
  constructor(
    private readonly conversation: ConversationService,
    private readonly queries: ConversationQueries,
    private readonly directory: UserDirectory,
  ) {}

  @RequestPattern(PATTERNS.postMessage)
  post(command: PostMessage, context: RpcContext): Promise<Reply<Message>> {
    return this.conversation.post(command, context);
  }

  @RequestPattern(PATTERNS.messages)
  messages(query: MessagesQuery, context: RpcContext): Promise<Reply<Message[]>> {
    return this.queries.messages(query, context);
  }

  @RequestPattern(PATTERNS.message)
  message(query: MessageQuery, context: RpcContext): Promise<Reply<Message>> {
    return this.queries.message(query, context);
  }

  @RequestPattern(PATTERNS.participants)
  participants(query: ParticipantsQuery, context: RpcContext): Promise<Reply<Participant[]>> {
    return this.queries.participants(query, context);
  }

  @RequestPattern(PATTERNS.deleteKnownUser)
  deleteKnownUser(user: UserDeleted, context: RpcContext): Promise<Reply<never>> {
    return this.directory.deleteUser(user, context);
  }

  @HandleEvent(USER_EVENTS, EVENT_TYPES.userSeen)
  userSeen(user: UserSeen): Promise<void> {
    return this.directory.seen(user);
  }

  @HandleEvent(USER_EVENTS, EVENT_TYPES.userDeleted)
  userDeleted(user: UserDeleted): Promise<void> {
    return this.directory.deleted(user);
  }
}

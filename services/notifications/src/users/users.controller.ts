import { Controller } from '@nestjs/common';
import { type DeleteUser, EVENT_TYPES, PATTERNS, USER_EVENTS, type UserDeleted, type UserSeen } from '@po/contracts';
import { HandleEvent, RequestPattern, type Reply, type RpcContext } from '@po/messaging';
import { UserDirectory } from './user-directory.service.js';

@Controller()
export class UsersController {
  constructor(private readonly users: UserDirectory) {}

  @RequestPattern(PATTERNS.deleteUser)
  delete(command: DeleteUser, context: RpcContext): Promise<Reply<UserDeleted>> {
    return this.users.delete(command, context);
  }

  @HandleEvent(USER_EVENTS, EVENT_TYPES.userSeen)
  seen(user: UserSeen): Promise<void> {
    return this.users.seen(user);
  }

  @HandleEvent(USER_EVENTS, EVENT_TYPES.userDeleted)
  deleted(user: UserDeleted): Promise<void> {
    return this.users.deleted(user);
  }
}

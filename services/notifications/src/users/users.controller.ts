import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { type DeleteUser, EVENT_TYPES, PATTERNS, type UserDeleted, type UserSeen } from '@po/contracts';
import { RequestPattern, type Reply, type RpcContext } from '@po/messaging';
import { UserDirectory } from './user-directory.service.js';

@Controller()
export class UsersController {
  constructor(private readonly users: UserDirectory) {}

  @RequestPattern(PATTERNS.deleteUser)
  delete(command: DeleteUser, context: RpcContext): Promise<Reply<UserDeleted>> {
    return this.users.delete(command, context);
  }

  @EventPattern<string>(EVENT_TYPES.userSeen)
  seen(@Payload() user: UserSeen): Promise<void> {
    return this.users.seen(user);
  }

  @EventPattern<string>(EVENT_TYPES.userDeleted)
  deleted(@Payload() user: UserDeleted): Promise<void> {
    return this.users.deleted(user);
  }
}

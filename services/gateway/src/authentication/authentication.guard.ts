import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Announcements } from './announcements.js';
import { Callers } from './callers.js';

/** Lets nobody pass whose token is not good; every route is behind it. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly callers: Callers,
    private readonly announcements: Announcements,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const caller = await this.callers.identify(request.raw.headersDistinct['x-user-token'] ?? []);
    request.context.caller = caller;
    if (this.announcements.announce(caller.actor)) this.callers.signalOtherGateways(caller);
    return true;
  }
}

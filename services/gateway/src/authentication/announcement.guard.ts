import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../http/request-context.js';
import { Announcements } from './announcements.js';
import { Callers } from './callers.js';

/** Announces who calls, and lets everybody pass. Runs after the rate limit: what is refused announces nobody. */
@Injectable()
export class AnnouncementGuard implements CanActivate {
  constructor(
    private readonly callers: Callers,
    private readonly announcements: Announcements,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const caller = callerOf(context.switchToHttp().getRequest<FastifyRequest>());
    if (this.announcements.announce(caller)) this.callers.signalOtherGateways(caller);
    return true;
  }
}

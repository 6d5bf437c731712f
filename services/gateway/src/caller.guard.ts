import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RateLimits } from './rate-limit/rate-limits.js';
import { Streams } from './stream/streams.js';
import { Announcements } from './authentication/announcements.js';
import { Callers } from './authentication/callers.js';

/** Guards every route: refuses a request with an invalid token or above the rate limit, and announces the caller of any other. */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(
    private readonly callers: Callers,
    private readonly limits: RateLimits,
    private readonly announcements: Announcements,
    private readonly streams: Streams,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const caller = await this.callers.identify(request.raw.headersDistinct['x-user-token'] ?? []);
    request.context.caller = caller;
    const kind = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write';
    await this.limits.admit(caller.actor.sub, kind);
    if (this.announcements.announce(caller)) this.streams.signalOtherGateways(caller);
    return true;
  }
}

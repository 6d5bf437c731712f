import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { actorOf } from '../http/request-context.js';
import { RateLimits } from './rate-limits.js';

/** Runs after the authentication: what it counts belongs to a user. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const kind = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write';
    await this.limits.admit(actorOf(request).sub, kind);
    return true;
  }
}

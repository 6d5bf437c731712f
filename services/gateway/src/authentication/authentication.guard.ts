import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Callers } from './callers.js';

/** Lets nobody pass whose token is not good; every route is behind it. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(private readonly callers: Callers) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.context.caller = await this.callers.identify(request.raw.headersDistinct['x-user-token'] ?? []);
    return true;
  }
}

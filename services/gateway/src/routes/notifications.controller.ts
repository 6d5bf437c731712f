import { Controller, Get, Put, Req, Res } from '@nestjs/common';
import { NotificationsParameters, PATTERNS } from '@po/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { actorOf } from '../http/request-context.js';
import { NoQuery, notificationIdOf, queryOf } from '../http/parameters.js';
import { Upstream } from './upstream.js';

@Controller('api/notifications')
export class NotificationsController {
  constructor(private readonly upstream: Upstream) {}

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.upstream.pass(PATTERNS.notifications, queryOf(request, NotificationsParameters), request, reply);
  }

  @Put(':id/read')
  async markRead(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    queryOf(request, NoQuery);
    const command = { id: notificationIdOf(request) };
    await this.upstream.pass(PATTERNS.markRead, command, request, reply, { key: actorOf(request).sub });
  }
}

import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_ROOT } from '../../http/route-table.js';
import { notifications } from './notifications.operations.js';
import { Route } from '../route.js';
import { Upstream } from '../upstream.js';

@Controller(API_ROOT)
export class NotificationsController {
  constructor(private readonly upstream: Upstream) {}

  @Route(notifications.listNotifications)
  listNotifications(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(notifications.listNotifications, request, reply);
  }

  @Route(notifications.markNotificationRead)
  markNotificationRead(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(notifications.markNotificationRead, request, reply);
  }
}

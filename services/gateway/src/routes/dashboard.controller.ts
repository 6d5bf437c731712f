import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_ROOT } from '../http/route-table.js';
import { dashboard } from './dashboard.operations.js';
import { Route } from './route.js';
import { Upstream } from './upstream.js';

@Controller(API_ROOT)
export class DashboardController {
  constructor(private readonly upstream: Upstream) {}

  @Route(dashboard.getKpis)
  getKpis(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(dashboard.getKpis, request, reply);
  }

  @Route(dashboard.getRecentActivity)
  getRecentActivity(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(dashboard.getRecentActivity, request, reply);
  }

  @Route(dashboard.getSchedule)
  getSchedule(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(dashboard.getSchedule, request, reply);
  }

  @Route(dashboard.getApprovals)
  getApprovals(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(dashboard.getApprovals, request, reply);
  }
}

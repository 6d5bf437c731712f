import { Controller, Get, Req, Res } from '@nestjs/common';
import { PATTERNS } from '@po/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NoQuery, queryOf } from '../http/parameters.js';
import { Upstream } from './upstream.js';

@Controller('api/dashboard')
export class DashboardController {
  constructor(private readonly upstream: Upstream) {}

  @Get('kpis')
  async kpis(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.upstream.pass(PATTERNS.kpis, queryOf(request, NoQuery), request, reply);
  }

  @Get('recent-activity')
  async recentActivity(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.upstream.pass(PATTERNS.recentActivity, queryOf(request, NoQuery), request, reply);
  }
}

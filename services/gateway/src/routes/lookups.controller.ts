import { Controller, Get, Req, Res } from '@nestjs/common';
import { ActionsParameters, PATTERNS } from '@po/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NoQuery, queryOf } from '../http/parameters.js';
import { Upstream } from './upstream.js';

@Controller('api')
export class LookupsController {
  constructor(private readonly upstream: Upstream) {}

  @Get('lookups/actions')
  async actions(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.upstream.pass(PATTERNS.actions, queryOf(request, ActionsParameters), request, reply);
  }

  @Get('po-filters')
  async filters(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.upstream.pass(PATTERNS.filters, queryOf(request, NoQuery), request, reply);
  }
}

import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_ROOT } from '../http/route-table.js';
import { lookups } from './lookups.operations.js';
import { Route } from './route.js';
import { Upstream } from './upstream.js';

@Controller(API_ROOT)
export class LookupsController {
  constructor(private readonly upstream: Upstream) {}

  @Route(lookups.listAvailableActions)
  listAvailableActions(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(lookups.listAvailableActions, request, reply);
  }

  @Route(lookups.getFilters)
  getFilters(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(lookups.getFilters, request, reply);
  }
}

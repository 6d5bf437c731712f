import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_ROOT } from '../../http/route-table.js';
import { Route } from '../route.js';
import { Upstream } from '../upstream.js';
import { views } from './views.operations.js';

@Controller(API_ROOT)
export class ViewsController {
  constructor(private readonly upstream: Upstream) {}

  @Route(views.listViews)
  listViews(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(views.listViews, request, reply);
  }

  @Route(views.createView)
  createView(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(views.createView, request, reply);
  }

  @Route(views.replaceView)
  replaceView(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(views.replaceView, request, reply);
  }

  @Route(views.deleteView)
  deleteView(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(views.deleteView, request, reply);
  }
}

import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_ROOT } from '../../http/route-table.js';
import { mail } from './mail.operations.js';
import { Route } from '../route.js';
import { Upstream } from '../upstream.js';

@Controller(API_ROOT)
export class MailController {
  constructor(private readonly upstream: Upstream) {}

  @Route(mail.listSuppressions)
  listSuppressions(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(mail.listSuppressions, request, reply);
  }

  @Route(mail.deleteSuppression)
  deleteSuppression(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(mail.deleteSuppression, request, reply);
  }
}

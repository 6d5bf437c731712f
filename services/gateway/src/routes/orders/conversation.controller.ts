import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_ROOT } from '../../http/route-table.js';
import { conversation } from './conversation.operations.js';
import { Route } from '../route.js';
import { Upstream } from '../upstream.js';

@Controller(API_ROOT)
export class ConversationController {
  constructor(private readonly upstream: Upstream) {}

  @Route(conversation.listMessages)
  listMessages(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(conversation.listMessages, request, reply);
  }

  @Route(conversation.postMessage)
  postMessage(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(conversation.postMessage, request, reply);
  }

  @Route(conversation.getMessage)
  getMessage(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(conversation.getMessage, request, reply);
  }

  @Route(conversation.listParticipants)
  listParticipants(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(conversation.listParticipants, request, reply);
  }
}

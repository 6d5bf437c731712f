import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_ROOT } from '../http/route-table.js';
import { streamNotifications } from '../routes/notifications/notifications.operations.js';
import { readRequest } from '../routes/read-request.js';
import { Route } from '../routes/route.js';
import { sendResponse } from '../routes/upstream.js';
import { beginStream } from './connection.js';
import { Streams } from './streams.js';

@Controller(API_ROOT)
export class StreamController {
  constructor(private readonly streams: Streams) {}

  /** The only open-ended response. */
  @Route(streamNotifications)
  async streamNotifications(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { query } = await readRequest(streamNotifications, request);
    if (request.method === 'HEAD') {
      beginStream(reply).end();
      return;
    }
    const given = request.headers['last-event-id'];
    const after = (typeof given === 'string' ? given : '') || (query.lastEventId as string | undefined) || null;
    const refusal = await this.streams.begin(request, reply, after, query.client);
    if (refusal) sendResponse(refusal, reply);
  }
}

import { Controller, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_ROOT } from '../http/route-table.js';
import type { RelayedOperation } from './operation.js';
import { Route } from './route.js';
import { Upstream } from './upstream.js';

type Handler = (this: { upstream: Upstream }, request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** A controller with one handler for each operation, called by its id. */
export function relayController(operations: Record<string, RelayedOperation>): Type {
  @Controller(API_ROOT)
  class RelayController {
    constructor(readonly upstream: Upstream) {}
  }
  for (const [id, operation] of Object.entries(operations)) {
    const handler: { value: Handler } = {
      value(request, reply) {
        return this.upstream.relay(operation, request, reply);
      },
    };
    Object.defineProperty(RelayController.prototype, id, handler);
    Req()(RelayController.prototype, id, 0);
    Res()(RelayController.prototype, id, 1);
    Route(operation)(RelayController.prototype, id, handler);
  }
  return RelayController;
}

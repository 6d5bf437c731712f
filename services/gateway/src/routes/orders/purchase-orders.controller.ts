import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_ROOT } from '../../http/route-table.js';
import { purchaseOrders } from './purchase-orders.operations.js';
import { Route } from '../route.js';
import { Upstream } from '../upstream.js';

@Controller(API_ROOT)
export class PurchaseOrdersController {
  constructor(private readonly upstream: Upstream) {}

  @Route(purchaseOrders.listPurchaseOrders)
  listPurchaseOrders(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(purchaseOrders.listPurchaseOrders, request, reply);
  }

  @Route(purchaseOrders.getPurchaseOrder)
  getPurchaseOrder(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(purchaseOrders.getPurchaseOrder, request, reply);
  }

  @Route(purchaseOrders.updatePurchaseOrder)
  updatePurchaseOrder(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(purchaseOrders.updatePurchaseOrder, request, reply);
  }

  @Route(purchaseOrders.listLineItems)
  listLineItems(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(purchaseOrders.listLineItems, request, reply);
  }

  @Route(purchaseOrders.updateLineItems)
  updateLineItems(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(purchaseOrders.updateLineItems, request, reply);
  }

  @Route(purchaseOrders.executeTransition)
  executeTransition(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(purchaseOrders.executeTransition, request, reply);
  }

  @Route(purchaseOrders.getDiff)
  getDiff(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(purchaseOrders.getDiff, request, reply);
  }

  @Route(purchaseOrders.getHistory)
  getHistory(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.upstream.proxy(purchaseOrders.getHistory, request, reply);
  }
}

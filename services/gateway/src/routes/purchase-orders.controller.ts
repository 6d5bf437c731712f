import { Controller, Get, Patch, Post, Req, Res } from '@nestjs/common';
import { DetailParameters, HeaderPatch, LinesPatch, ListParameters, PATTERNS, TransitionRequest } from '@po/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bodyOf } from '../http/json-body.js';
import { NoQuery, poRefOf, queryOf } from '../http/parameters.js';
import { Upstream } from './upstream.js';
import { writeConditionsOf } from '../http/write-conditions.js';

@Controller('api/purchase-orders')
export class PurchaseOrdersController {
  constructor(private readonly upstream: Upstream) {}

  @Get()
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.upstream.pass(PATTERNS.list, queryOf(request, ListParameters), request, reply);
  }

  @Get(':poRef')
  async detail(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { include } = queryOf(request, DetailParameters);
    const query = { poRef: poRefOf(request), includeLineItems: include !== undefined };
    await this.upstream.pass(PATTERNS.detail, query, request, reply, { ifNoneMatch: request.headers['if-none-match'] });
  }

  @Patch(':poRef')
  async updateHeader(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const patch = await bodyOf(request, HeaderPatch);
    queryOf(request, NoQuery);
    const conditions = writeConditionsOf(request);
    const poRef = poRefOf(request);
    await this.upstream.pass(PATTERNS.updateHeader, { poRef, patch }, request, reply, { key: poRef, ...conditions });
  }

  @Get(':poRef/line-items')
  async lineItems(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    queryOf(request, NoQuery);
    const query = { poRef: poRefOf(request) };
    await this.upstream.pass(PATTERNS.lineItems, query, request, reply, {
      ifNoneMatch: request.headers['if-none-match'],
    });
  }

  @Patch(':poRef/line-items')
  async updateLines(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const patch = await bodyOf(request, LinesPatch);
    queryOf(request, NoQuery);
    const conditions = writeConditionsOf(request);
    const poRef = poRefOf(request);
    await this.upstream.pass(PATTERNS.updateLines, { poRef, patch }, request, reply, { key: poRef, ...conditions });
  }

  @Post(':poRef/transition')
  async transition(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const body = await bodyOf(request, TransitionRequest);
    queryOf(request, NoQuery);
    const conditions = writeConditionsOf(request);
    const poRef = poRefOf(request);
    const command = { poRef, request: body };
    await this.upstream.pass(PATTERNS.transition, command, request, reply, { key: poRef, ...conditions });
  }

  @Get(':poRef/history')
  async history(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    queryOf(request, NoQuery);
    await this.upstream.pass(PATTERNS.history, { poRef: poRefOf(request) }, request, reply);
  }
}

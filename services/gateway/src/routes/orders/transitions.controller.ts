import { Controller, Req, Res } from '@nestjs/common';
import {
  PATTERNS,
  type Problem,
  ProblemError,
  type TransitionItem,
  type TransitionOutcome,
  TransitionResult,
  type TransitionsResult,
  canonicalPoRef,
  problemDocument,
} from '@po/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import type { ConditionValues } from '../../http/conditions.js';
import { actorOf } from '../../http/request-context.js';
import { API_ROOT } from '../../http/route-table.js';
import { RateLimits } from '../../rate-limit/rate-limits.js';
import { executeTransitions } from './purchase-orders.operations.js';
import { readRequest } from '../read-request.js';
import { Route } from '../route.js';
import { Upstream, jsonOf, sendResponse } from '../upstream.js';

/** Items executed at a time: half of what one replica of the order service works on, so that others are served during a batch. */
const CONCURRENCY = 20;

interface Batch {
  request: FastifyRequest;
  conditions: ConditionValues['key'];
  /** True once an item got no answer in time. */
  isUnanswered: boolean;
}

type Executed = { outcome: TransitionOutcome; replayed: boolean };

@Controller(API_ROOT)
export class TransitionsController {
  constructor(
    private readonly upstream: Upstream,
    private readonly limits: RateLimits,
  ) {}

  /** Executes many single transitions after one command that binds the key to the body. A repeat finds each of them under its own key. */
  @Route(executeTransitions)
  async executeTransitions(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { body, conditions } = await readRequest(executeTransitions, request);
    const { items } = body;
    // The guard has counted one already.
    await this.limits.admit(actorOf(request).sub, 'write', items.length - 1);
    const started = await this.upstream.request(PATTERNS.beginTransitions, { request: body }, request, {
      key: conditions.idempotencyKey,
      ...conditions,
    });
    if (started.status !== 200) {
      sendResponse(started, reply);
      return;
    }
    const batch = { request, conditions, isUnanswered: false };
    const executed = await pLimit(CONCURRENCY).map(items, (item) => this.execute(item, batch));
    const results = executed.map(({ outcome }) => outcome);
    const succeeded = executed.filter(({ outcome }) => outcome.success);
    const isRepeat = executed.every(({ replayed }) => replayed);
    await reply
      .code(200)
      .headers({
        // Language of the problems inside.
        'content-language': request.context.locale,
        ...(isRepeat ? { 'idempotency-replayed': 'true' } : {}),
      })
      .send({
        results,
        succeeded: succeeded.length,
        failed: results.length - succeeded.length,
      } satisfies TransitionsResult);
  }

  private async execute(item: TransitionItem, batch: Batch): Promise<Executed> {
    const { poRef, version, ...request } = item;
    const path = `${API_ROOT}/purchase-orders/${encodeURIComponent(poRef)}/transition`;
    try {
      if (canonicalPoRef(poRef) === null) throw new ProblemError('PO_NOT_FOUND');
      // A slow service gets no more items: the batch must end while its client still waits.
      if (batch.isUnanswered) throw new ProblemError('UNAVAILABLE');
      const { status, headers, body } = await this.upstream.request(
        PATTERNS.transition,
        { poRef, request },
        batch.request,
        {
          key: poRef,
          path,
          idempotencyOrigin: batch.conditions.idempotencyOrigin,
          // A client cannot send a key with a space, so this key never equals that of a single request.
          idempotencyKey: `batch ${batch.conditions.idempotencyKey}`,
          ...(version === undefined ? {} : { ifMatch: `"${version}"` }),
        },
      );
      const json = jsonOf(body);
      if (status !== 200) return refused(poRef, json as Problem, batch);
      const { message: _message, ...result } = TransitionResult.parse(json);
      return {
        outcome: { poRef, status, ...result, problem: null },
        replayed: headers['idempotency-replayed'] === 'true',
      };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const { id: requestId, context } = batch.request;
      return refused(poRef, problemDocument(error, { locale: context.locale, instance: path, requestId }), batch);
    }
  }
}

function refused(poRef: string, { ...problem }: Problem, batch: Batch): Executed {
  if (problem.outcome === 'unknown') {
    batch.isUnanswered = true;
    problem.idempotencyKey = batch.conditions.idempotencyKey;
  }
  const nothing = {
    newStatusId: null,
    newStatus: null,
    newStatusZh: null,
    version: null,
    historyId: null,
    autoApproved: null,
  };
  return { outcome: { poRef, status: problem.status, success: false, ...nothing, problem }, replayed: false };
}

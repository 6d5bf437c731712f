import { type Actor, HEADERS, PATTERNS, ProblemError, type RpcPattern, TOPICS, problemDocument } from '@po/contracts';
import {
  type ActorVerifier,
  type Logger,
  UnknownActorError,
  endsWithin,
  backOffMs,
  continueTrace,
  isPermanent,
  traceIdOf,
  withLogContext,
  withSpan,
} from '@po/platform';
import { setTimeout as delay } from 'node:timers/promises';
import { type ContentError, jsonOf } from '../consuming/content-error.js';
import { type IncomingRecord, RecordTooLargeError } from '../kafka-port.js';
import { commands, messages, processing } from '../metrics.js';
import type { Publisher } from '../publishing/publisher.js';
import { purposeOf } from './actor-purpose.js';
import { ReplyMemoryBudget } from './reply-memory-budget.js';
import type { Reply } from './reply.js';
import { type EncodedReply, encodeReply } from './reply-encoding.js';
import type { RpcContext, RpcHandler } from './rpc-context.js';
import { DEADLINES } from './rpc-client.js';
import { type RpcEnvelope, contextOf, envelopeOf, replyHeaders, senderOf } from './rpc-headers.js';
import { SenderClocks } from './sender-clocks.js';
import { unavailable } from './unavailable.js';

interface RpcServerOptions {
  group: string;
  actors: ActorVerifier;
  handlerOf: (type: string) => RpcHandler | null;
  replies: Publisher;
  logger: Logger;
}

const patterns = new Map<string, RpcPattern>(Object.values(PATTERNS).map((pattern) => [pattern.type, pattern]));

/** The caller of an unsigned request, with the fewest permissions. */
const ANONYMOUS: Actor = { sub: '-', email: null, name: null, role: 'VIEWER', vendorCode: null, locale: null };

/** How long an unsent reply blocks the next request of its key. */
const MAX_SEND_WAIT_MS = 300;
/** Label for unknown types, whose names are up to the sender. */
const UNKNOWN = 'unknown';
const RETRY = { initialMs: 25, maxMs: 1_000 };

/** Answers the requests of one topic: deadline, actor, schema, handler, reply. */
export class RpcServer {
  private readonly clocks: SenderClocks;
  private readonly memory = new ReplyMemoryBudget();

  constructor(private readonly options: RpcServerOptions) {
    this.clocks = new SenderClocks(options.group, options.logger);
  }

  /** Resolves true once the reply is sent or no caller waits for it; false if the request was abandoned because `stopped` turned true. */
  async handle(record: IncomingRecord, stopped: () => boolean): Promise<boolean> {
    const sent = envelopeOf(record.headers);
    const labels = { topic: record.topic, group: this.options.group };
    if (!sent) {
      const { topic, partition, offset, unreadable } = record;
      this.options.logger.warn(
        { topic, partition, offset, unreadable },
        'a request is dropped: it has no type, correlation id, deadline or partition of the reply topic',
      );
      messages.inc({ ...labels, outcome: 'unanswerable' });
      return true;
    }
    const envelope = { ...sent, deadline: this.deadlineOf(sent, record) };
    if (envelope.deadline <= Date.now()) {
      messages.inc({ ...labels, outcome: 'expired' });
      return true;
    }
    const end = processing.startTimer(labels);
    const outcome = await this.answer(envelope, record, stopped);
    end();
    messages.inc({ ...labels, outcome });
    return outcome !== 'stopped';
  }

  // By this machine's clock. No caller waits longer than for a command, whatever the header says.
  private deadlineOf({ correlationId, deadline }: RpcEnvelope, record: IncomingRecord): number {
    const ahead = this.clocks.aheadOf(senderOf(correlationId), record);
    return Math.min(deadline + ahead, (record.arrival?.at ?? Date.now()) + DEADLINES.command);
  }

  private async answer(envelope: RpcEnvelope, record: IncomingRecord, stopped: () => boolean): Promise<string> {
    const pattern = patterns.get(envelope.type);
    const actor = await this.identify(envelope, record, pattern);
    if (typeof actor === 'string') return actor;
    const type = pattern?.type ?? UNKNOWN;
    const span = continueTrace('rpcServer', type, record.headers[HEADERS.traceparent], {
      'messaging.destination.name': record.topic,
      'messaging.consumer.group.name': this.options.group,
      'rpc.method': type,
    });
    const { traceparent } = span;
    const { reserve, free } = this.memory.forReply({ ...envelope, userId: actor.sub });
    const context = contextOf(envelope, record.headers, { actor, traceparent, reserve });
    const respond = async () => {
      const startedAt = performance.now();
      const reply = await this.replyTo(context, record, stopped);
      if (!reply) {
        free();
        const why = stopped() ? 'stopped' : 'expired';
        span.end(why);
        return why;
      }
      if (pattern?.kind === 'command')
        commands.inc({ command: context.type, outcome: `${Math.floor(reply.status / 100)}xx` });
      // Awaited without a limit: a request handled in the meantime would need memory too.
      const answer = await this.encode(envelope, reply, context);
      // A hanging broker must not block the order's next command. The result is stored and answers a repeated request.
      await endsWithin(MAX_SEND_WAIT_MS, this.send(envelope, answer, context).finally(free));
      span.set({ 'rpc.response.status_code': String(reply.status) });
      span.end(reply.status >= 500 ? String(reply.status) : undefined);
      this.logHandled(context, record, reply.status, performance.now() - startedAt);
      return 'answered';
    };
    const ids = { requestId: context.requestId, traceId: traceIdOf(traceparent) };
    // Nothing else frees the memory or reads the request again. At its deadline, the caller learns that the outcome is unknown.
    const failed = (error: unknown) => {
      free();
      span.end('failed');
      this.options.logger.error({ err: error, type }, 'a request is not answered because of a defect');
      return 'failed';
    };
    return withLogContext(ids, () => withSpan(span, respond).catch(failed));
  }

  /** The verified actor of a request; without one, the outcome of the request. */
  private async identify(
    envelope: RpcEnvelope,
    record: IncomingRecord,
    pattern: RpcPattern | undefined,
  ): Promise<Actor | 'answered' | 'unauthenticated'> {
    if (pattern?.unsigned) return ANONYMOUS;
    try {
      // A request of an unknown type is refused later. Only a newer version knows the purpose of its signature, so any purpose passes.
      const purpose = pattern ? purposeOf(pattern.kind, record) : null;
      return await this.options.actors.verify(record.headers[HEADERS.actor], purpose);
    } catch (error) {
      if (error instanceof UnknownActorError) {
        await this.publish(envelope, await encodedReplyTo(this.notUnderstood(envelope, error.cause), envelope));
        return 'answered';
      }
      // A reply would show a forger that a service listens; a genuine gateway never sends such a request.
      this.options.logger.warn(
        { err: error, type: envelope.type, requestId: envelope.requestId },
        'a request is dropped: it has no valid actor signature',
      );
      return 'unauthenticated';
    }
  }

  private logHandled({ type, actor }: RpcContext, record: IncomingRecord, status: number, durationMs: number): void {
    const pattern = patterns.get(type);
    // Only commands of these types are keyed by an order.
    const poRef = pattern?.type.startsWith('purchase-order.') ? record.key?.toString() : undefined;
    const level = status >= 500 ? 'error' : pattern?.kind === 'command' ? 'info' : 'debug';
    const line = { type, status, actor: actor.sub, poRef, durationMs: Math.round(durationMs) };
    this.options.logger[level](line, 'request handled');
  }

  private async replyTo(context: RpcContext, record: IncomingRecord, stopped: () => boolean): Promise<Reply | null> {
    const pattern = patterns.get(context.type);
    const handler = pattern && this.options.handlerOf(context.type);
    if (!handler) return this.notUnderstood(context, 'unknown type');
    const payload = parse(pattern, record);
    if ('issues' in payload) return this.notUnderstood(context, payload.issues);
    for (let failures = 1; ; failures += 1) {
      try {
        return (await handler(payload.data, context)) as Reply;
      } catch (error) {
        if (error instanceof ProblemError) return problemReply(error, context);
        const pause = backOffMs(failures, RETRY);
        const final = isPermanent(error) || context.deadline - Date.now() < 2 * pause;
        // In an outage of the store, hundreds of requests fail many times each.
        const level = final ? 'error' : failures === 1 ? 'warn' : 'debug';
        this.options.logger[level]({ err: error, type: context.type }, 'a handler failed');
        if (isPermanent(error)) return problemReply(new ProblemError('INTERNAL'), context);
        if (pattern.kind === 'query' && final) return problemReply(unavailable(), context);
        // A command that did not succeed in time gets no reply: its caller reports the outcome as unknown.
        if (final || stopped()) return null;
        await delay(pause);
      }
    }
  }

  // The gateway validated the request by its own schemas and signed it, so it is of a newer version, whose replicas will answer it.
  private notUnderstood(asked: RpcEnvelope | RpcContext, why: unknown): Reply {
    const { type, requestId } = asked;
    this.options.logger.error(
      { type, requestId, why },
      'a request is not understood: it comes from another version, or is malformed',
    );
    return problemReply(unavailable(), asked);
  }

  private encode(envelope: RpcEnvelope, reply: Reply, context: RpcContext): Promise<EncodedReply> {
    return encodedReplyTo(reply, envelope).catch((error: unknown) => {
      this.options.logger.error({ err: error, type: context.type }, 'a reply is no JSON');
      return this.replacementOf(envelope, context);
    });
  }

  private async send(envelope: RpcEnvelope, answer: EncodedReply, context: RpcContext): Promise<void> {
    const isTooLarge = await this.publish(envelope, answer);
    if (isTooLarge) await this.publish(envelope, await this.replacementOf(envelope, context));
  }

  private replacementOf(envelope: RpcEnvelope, context: RpcContext): Promise<EncodedReply> {
    return encodedReplyTo(problemReply(unsendable(context), context), envelope);
  }

  /** Resolves with whether the reply is too large for its topic. */
  private async publish({ type, replyPartition, deadline }: RpcEnvelope, answer: EncodedReply): Promise<boolean> {
    const record = { topic: TOPICS.replies, partition: replyPartition, key: null, ...answer };
    const sending = this.options.replies.enqueue(record);
    // The caller no longer waits after its deadline.
    const late = setTimeout(() => sending.withdraw(), Math.max(0, deadline - Date.now()));
    try {
      await sending.done;
    } catch (error) {
      const isTooLarge = error instanceof RecordTooLargeError;
      this.options.logger[isTooLarge ? 'error' : 'warn']({ err: error, type }, 'a reply could not be sent');
      return isTooLarge;
    } finally {
      clearTimeout(late);
    }
    return false;
  }
}

async function encodedReplyTo(reply: Reply, { correlationId, takesGzip }: RpcEnvelope): Promise<EncodedReply> {
  const { value, headers } = await encodeReply(reply, takesGzip);
  return { value, headers: { ...replyHeaders(correlationId, reply.status, reply.headers), ...headers } };
}

// The change is committed, so the caller must not consider it refused. The caller finds the outcome by the idempotency key or by reading.
function unsendable({ type, idempotencyKey, commandId }: RpcContext): ProblemError {
  if (patterns.get(type)?.kind !== 'command') return new ProblemError('INTERNAL');
  return new ProblemError('TIMEOUT', { outcome: 'unknown', idempotencyKey: idempotencyKey ?? commandId });
}

function parse(pattern: RpcPattern, record: IncomingRecord): { data: unknown } | { issues: unknown } {
  try {
    const { data, error } = pattern.request.safeParse(jsonOf(record));
    return error ? { issues: error.issues } : { data };
  } catch (error) {
    return { issues: (error as ContentError).message };
  }
}

function problemReply(problem: ProblemError, { locale, path, requestId }: RpcEnvelope | RpcContext): Reply {
  return {
    status: problem.status,
    headers: { ...problem.options.headers, 'content-language': locale },
    body: problemDocument(problem, { locale, instance: path, requestId }),
  };
}

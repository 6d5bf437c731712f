import { randomUUID } from 'node:crypto';
import { ClientProxy, type ReadPacket, type WritePacket } from '@nestjs/microservices';
import { HEADERS, ProblemError, type RpcPattern } from '@po/contracts';
import { type Health, type Logger, shouldLog } from '@po/platform';
import type { IncomingRecord, KafkaPort } from '../kafka-port.js';
import { observeRpc, rpcLateReplies, rpcPending, rpcResends } from '../metrics.js';
import { Publisher } from '../publishing/publisher.js';
import { type Pending, type RpcReply, type Sent, endTraceOf, traceOf } from './pending.js';
import { decodeReply } from './reply-encoding.js';
import { ReplyPartitions } from './reply-partitions.js';
import { type RpcRequest, httpHeadersOf, requestHeaders } from './rpc-headers.js';
import { Routing } from './routing.js';
import { unavailable } from './unavailable.js';

/** Milliseconds that a caller waits for the reply. */
export const DEADLINES = { query: 3_000, command: 8_000 };
/**
 * Interval, as a fraction of a query's deadline, at which an unanswered request is checked until its own deadline. A check resends it by
 * another route; the first check only if other requests were answered since. Commands are resent too: their id makes them take effect
 * once.
 */
const CHECK_AFTER = 0.2;
const MAX_PENDING = 2_000;
const UNAVAILABLE = 503;
/** After an outage of this length, requests are refused at once instead of waiting for their deadlines. */
const REFUSE_AFTER_MS = 1_500;

/** Sends requests to services over Kafka. Replies arrive on this instance's partitions of the reply topic. */
export class KafkaRpcClient extends ClientProxy {
  private readonly queries: Publisher;
  private readonly commands: Publisher;
  private readonly replies: ReplyPartitions;
  private readonly routing: Routing;
  private readonly pending = new Map<string, Pending>();
  private count = 0;
  private sequence = 0;
  /** Failed sends since the last reply. */
  private sendFailures = 0;
  private readonly idPrefix = randomUUID().slice(0, 8);
  private closed = false;

  constructor(
    private readonly options: {
      kafka: KafkaPort;
      logger: Logger;
      instanceId: string;
      health: Health;
      /** Milliseconds that a caller waits; 3,000 for a query and 8,000 for a command by default. */
      deadlines?: Record<RpcPattern['kind'], number>;
      /** Maximum number of pending requests, above which more are refused; 2,000 by default. */
      maxPending?: number;
      /** Milliseconds without a returned ping until another reply partition is tried; 3,000 by default. */
      moveAfterMs?: number;
    },
  ) {
    super();
    const { kafka, logger, instanceId, health, moveAfterMs } = options;
    this.queries = new Publisher(kafka, { acks: 'leader', logger });
    this.commands = new Publisher(kafka, { acks: 'all', logger });
    this.replies = new ReplyPartitions({
      kafka,
      instanceId,
      logger,
      moveAfterMs,
      onReply: (correlationId, record) => this.answered(correlationId, record),
    });
    this.routing = new Routing(this.replies);
    health.addReadiness('reply partition', () => this.replies.ready);
    health.addLiveness('reply partition', () => this.replies.alive);
  }

  /** Returns at once; readiness shows when replies can arrive. */
  connect(): Promise<void> {
    this.replies.start();
    this.queries.connect();
    this.commands.connect();
    return Promise.resolve();
  }

  /**
   * Sends a request and waits for its reply: 3 s for a query, 8 s for a command. An unanswered request is resent by another route. Rejects
   * with UNAVAILABLE if nothing was sent, with TIMEOUT if no reply arrived; the TIMEOUT of a command has `outcome: "unknown"`.
   */
  request(pattern: RpcPattern, payload: unknown, request: RpcRequest): Promise<RpcReply> {
    const publisher = this.publisherOf(pattern);
    const { maxPending = MAX_PENDING, deadlines = DEADLINES } = this.options;
    const full = this.count >= maxPending;
    const awayForMs = Math.max(publisher.disconnectedForMs, this.replies.silentForMs);
    if (this.closed || full || !this.replies.isVerified || awayForMs > REFUSE_AFTER_MS) {
      return Promise.reject(unavailable());
    }
    const { promise, resolve, reject } = Promise.withResolvers<RpcReply>();
    const now = Date.now();
    const timeoutMs = deadlines[pattern.kind];
    const pending: Pending = {
      pattern,
      payload: JSON.stringify(payload),
      ...traceOf(pattern, request),
      commandId: request.commandId ?? randomUUID(),
      deadline: now + timeoutMs,
      timer: undefined,
      sends: [],
      startedAt: performance.now(),
      resolve,
      reject,
    };
    this.count += 1;
    rpcPending.set(this.count);
    this.arm(pending, timeoutMs);
    this.dispatch(pending);
    return promise;
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const pending of this.pending.values())
      this.settle(pending, 'closed', () => pending.reject(this.refusal(pending)));
    await this.replies.stop();
    await Promise.all([this.queries.close(), this.commands.close()]);
  }

  unwrap<T>(): T {
    return this.options.kafka as T;
  }

  protected publish(packet: ReadPacket, callback: (packet: WritePacket) => void): () => void {
    const { pattern, payload, request } = packet.data as { pattern: RpcPattern; payload: unknown; request: RpcRequest };
    this.request(pattern, payload, request).then(
      (response) => callback({ response, isDisposed: true }),
      (err: unknown) => callback({ err }),
    );
    return () => undefined;
  }

  protected dispatchEvent(): Promise<never> {
    return Promise.reject(
      new Error('events are published through the outbox or a Publisher, not through the RPC client'),
    );
  }

  private publisherOf({ kind }: RpcPattern): Publisher {
    return kind === 'command' ? this.commands : this.queries;
  }

  private dispatch(pending: Pending): void {
    const { pattern, request, commandId, deadline, payload: value } = pending;
    const correlationId = `${this.idPrefix}-${(this.sequence += 1).toString(36)}`;
    const publisher = this.publisherOf(pattern);
    const route = this.routing.pick(pattern, request.key ?? null, pending.sends, publisher);
    const { replyPartition } = route;
    this.pending.set(correlationId, pending);
    const sending = publisher.enqueue({
      topic: pattern.topic,
      partition: route.partition,
      key: request.key ?? null,
      value,
      headers: requestHeaders(pattern, request, {
        correlationId,
        commandId,
        deadline,
        replyPartition,
        value,
        isResent: pending.sends.some((one) => this.pending.has(one.correlationId)),
      }),
    });
    pending.sends.push({ correlationId, route, sending });
    sending.done.catch((error: unknown) => this.sendFailed(correlationId, error));
  }

  // A send with an unknown outcome may still be answered. Only the deadline ends the request and withdraws its queued sends.
  private sendFailed(correlationId: string, err: unknown): void {
    const pending = this.pending.get(correlationId);
    if (!pending) return;
    this.sendFailures += 1;
    const fields = { err, type: pending.pattern.type, failures: this.sendFailures };
    this.options.logger[shouldLog(this.sendFailures) ? 'warn' : 'debug'](fields, 'Kafka did not accept a request');
  }

  private answered(correlationId: string, record: IncomingRecord): void {
    const pending = this.pending.get(correlationId);
    if (!pending) {
      rpcLateReplies.inc();
      return;
    }
    this.sendFailures = 0;
    if (Number(record.headers[HEADERS.httpStatus]) !== UNAVAILABLE)
      this.routing.answered(pending.pattern, pending.sends, correlationId);
    else if (this.awaitsOtherReplica(pending, correlationId)) return;
    const body = decodeReply(record);
    if (Buffer.isBuffer(body)) this.settleBy(pending, record, body);
    else void this.settleLater(pending, correlationId, record, body);
  }

  /** Handles a reply that a service is unavailable. Returns whether the request now waits for another replica. */
  private awaitsOtherReplica(pending: Pending, correlationId: string): boolean {
    const sent = pending.sends.find((one) => one.correlationId === correlationId) as Sent;
    const othersCan = this.routing.refused(pending.pattern, sent, pending.sends.length);
    const awaitsOthers = pending.sends.some((one) => one !== sent && this.pending.has(one.correlationId));
    if (!awaitsOthers && !(othersCan && this.routing.mayResend(sent.route, { anyway: true, isCutOff: false })))
      return false;
    this.pending.delete(correlationId);
    if (!awaitsOthers) this.sendAgain(pending);
    return true;
  }

  // Another reply or the deadline may settle the request first.
  private async settleLater(pending: Pending, correlationId: string, record: IncomingRecord, body: Promise<Buffer>) {
    const settled = () => this.pending.get(correlationId) !== pending;
    try {
      const plain = await body;
      if (!settled()) this.settleBy(pending, record, plain);
    } catch (error) {
      this.options.logger.error({ err: error, type: pending.pattern.type }, 'a reply could not be decompressed');
      if (!settled()) this.settle(pending, 500, () => pending.reject(new ProblemError('INTERNAL')));
    }
  }

  private settleBy(pending: Pending, { headers }: IncomingRecord, body: Buffer): void {
    const status = Number(headers[HEADERS.httpStatus]);
    this.settle(pending, status, () => pending.resolve({ status, headers: httpHeadersOf(headers), body }));
  }

  // Node.js keeps timers of the same duration in one list, and there are only three durations. Arming and clearing a timer thus costs the
  // same for any number of requests, and no timer runs without requests. A separate duration per request would lose this.
  private arm(pending: Pending, left: number, checks = 0): void {
    const { deadlines = DEADLINES } = this.options;
    const checkAfter = Math.round(CHECK_AFTER * deadlines.query);
    pending.timer = setTimeout(
      () => {
        if (left <= checkAfter) {
          for (const sent of pending.sends) this.routing.failed(pending.pattern, sent);
          this.settle(pending, 'timeout', () => pending.reject(this.refusal(pending)));
        } else {
          this.arm(pending, left - checkAfter, checks + 1);
          this.check(pending, checks > 0);
        }
      },
      Math.min(left, checkAfter),
    );
  }

  private check(pending: Pending, anyway: boolean): void {
    const { route } = pending.sends.at(-1) as Sent;
    if (anyway || !this.replies.endpoints.hasAnsweredSince(route.reply, route.sentAt)) this.replies.verify(route.reply);
    const { pattern } = pending;
    const isCutOff =
      !this.publisherOf(pattern).hasLeader(pattern.topic, route.partition) || this.replies.isCutOff(route);
    if (this.routing.mayResend(route, { anyway, isCutOff })) this.sendAgain(pending);
  }

  private sendAgain(pending: Pending): void {
    rpcResends.inc({ type: pending.pattern.type });
    this.dispatch(pending);
  }

  private refusal({ pattern, request, commandId, sends }: Pending): ProblemError {
    if (sends.map(({ sending }) => sending.withdraw()).every(Boolean)) return unavailable();
    if (pattern.kind === 'query') return new ProblemError('TIMEOUT');
    return new ProblemError('TIMEOUT', { outcome: 'unknown', idempotencyKey: request.idempotencyKey ?? commandId });
  }

  private settle(pending: Pending, outcome: number | string, answer: () => void): void {
    clearTimeout(pending.timer);
    for (const { correlationId } of pending.sends) this.pending.delete(correlationId);
    this.count -= 1;
    rpcPending.set(this.count);
    const label = typeof outcome === 'number' ? `${Math.floor(outcome / 100)}xx` : outcome;
    observeRpc(pending.pattern.type, label, performance.now() - pending.startedAt);
    endTraceOf(pending, outcome);
    answer();
  }
}

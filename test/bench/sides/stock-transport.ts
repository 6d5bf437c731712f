import { type ClientKafka, ClientProxyFactory, type KafkaOptions, Transport } from '@nestjs/microservices';
import { type Actor, HEADERS, PATTERNS, ProblemError, type RpcPattern, type TopicSpecification } from '@po/contracts';
import type { KafkaRpcClient, Reply, RpcContext, RpcRequest, RpcResponse } from '@po/messaging';
import { FOR_QUERIES } from '@po/platform';
import { TimeoutError, firstValueFrom, timeout } from 'rxjs';
import { PATIENCE_MS, received } from './order-handlers.js';

const PARTITIONS = 12;
const RETENTION_MS = 10 * 60_000;
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** A pattern is a topic to Nest's transport; the prefix keeps these apart from the product's. */
export const STOCK_PATTERNS = {
  detail: `bench.stock.${PATTERNS.detail.type}`,
  transition: `bench.stock.${PATTERNS.transition.type}`,
} as const;

/** Requests and their replies, with the partitions of the product's request topics. */
export const STOCK_TOPICS: TopicSpecification[] = Object.values(STOCK_PATTERNS)
  .flatMap((pattern) => [pattern, `${pattern}.reply`])
  .map((topic) => ({ topic, partitions: PARTITIONS, retention: RETENTION_MS, maxMessageBytes: MAX_MESSAGE_BYTES }));

/** Nest's documented options, and the one of KafkaJS that lets a consumer work on its partitions side by side. */
export const stockOptions = (brokers: string[]): NonNullable<KafkaOptions['options']> => ({
  client: { clientId: 'bench-stock', brokers },
  consumer: { groupId: 'bench-stock', allowAutoTopicCreation: false },
  producer: { allowAutoTopicCreation: false },
  run: { partitionsConsumedConcurrently: PARTITIONS },
});

function stockPattern({ type }: RpcPattern): string {
  if (type === PATTERNS.detail.type) return STOCK_PATTERNS.detail;
  if (type === PATTERNS.transition.type) return STOCK_PATTERNS.transition;
  throw new Error(`the stock side has no handler for ${type}`);
}

/** Sends requests by Nest's own Kafka client. It has no timeout, so rxjs applies the product's. */
export class StockClient implements Pick<KafkaRpcClient, 'request'> {
  private readonly client: ClientKafka;

  constructor(brokers: string[]) {
    this.client = ClientProxyFactory.create({
      transport: Transport.KAFKA,
      options: stockOptions(brokers),
    }) as ClientKafka;
  }

  /** Resolves when the consumer of the replies has been started. */
  async connect(): Promise<void> {
    for (const pattern of Object.values(STOCK_PATTERNS)) this.client.subscribeToResponseOf(pattern);
    await this.client.connect();
  }

  /** Rejects with TIMEOUT after 3 s for a query, 8 s for a command. */
  async request(pattern: RpcPattern, payload: unknown, request: RpcRequest): Promise<RpcResponse> {
    const message = { key: request.key ?? null, value: payload, headers: headersOf(pattern, request) };
    const replies = this.client.send<Reply>(stockPattern(pattern), message).pipe(timeout(PATIENCE_MS[pattern.kind]));
    try {
      const { status, headers, body } = await firstValueFrom(replies);
      return { status, headers, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) };
    } catch (error) {
      throw error instanceof TimeoutError ? new ProblemError('TIMEOUT') : error;
    }
  }
}

/** As in the product every command is signed for itself; its id stands for the digest. */
export const purposeOf = ({ kind }: RpcPattern, commandId: string): string =>
  kind === 'command' ? commandId : FOR_QUERIES;

/** The Kafka headers of the product's client without those of its transport. */
function headersOf(pattern: RpcPattern, request: RpcRequest): Record<string, string> {
  const { commandId, deadline } = received(pattern);
  const { actorToken } = request;
  return {
    [HEADERS.messageType]: pattern.type,
    [HEADERS.commandId]: commandId,
    [HEADERS.deadline]: String(deadline),
    [HEADERS.actor]: typeof actorToken === 'string' ? actorToken : actorToken(purposeOf(pattern, commandId)),
    [HEADERS.requestId]: request.requestId,
    [HEADERS.traceparent]: request.traceparent,
    [HEADERS.locale]: request.locale,
    [HEADERS.path]: request.path,
    [HEADERS.method]: request.method ?? 'GET',
    [HEADERS.idempotencyOrigin]: request.idempotencyOrigin ?? 'minted',
    ...(request.idempotencyKey ? { [HEADERS.idempotencyKey]: request.idempotencyKey } : {}),
    ...(request.ifMatch ? { [HEADERS.ifMatch]: request.ifMatch } : {}),
    ...(request.ifNoneMatch ? { [HEADERS.ifNoneMatch]: request.ifNoneMatch } : {}),
  };
}

/** The context of the product's handlers, from the headers as Nest hands them over. */
export function contextOf(headers: Record<string, string>, actor: Actor): RpcContext {
  const text = (name: string) => headers[name] ?? '';
  return {
    type: text(HEADERS.messageType),
    actor,
    actorToken: text(HEADERS.actor),
    requestId: text(HEADERS.requestId),
    commandId: text(HEADERS.commandId),
    deadline: Number(headers[HEADERS.deadline]),
    locale: headers[HEADERS.locale] === 'zh' ? 'zh' : 'en',
    path: text(HEADERS.path),
    method: text(HEADERS.method),
    traceparent: text(HEADERS.traceparent),
    idempotencyKey: headers[HEADERS.idempotencyKey] ?? null,
    idempotencyOrigin: headers[HEADERS.idempotencyOrigin] === 'client' ? 'client' : 'minted',
    ifMatch: headers[HEADERS.ifMatch] ?? null,
    ifNoneMatch: headers[HEADERS.ifNoneMatch] ?? null,
  };
}

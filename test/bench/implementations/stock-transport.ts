import { type ClientKafka, ClientProxyFactory, type KafkaOptions, Transport } from '@nestjs/microservices';
import { PATTERNS, ProblemError, type RpcPattern, type TopicSpecification } from '@po/contracts';
import type { KafkaRpcClient, Reply, RpcContext, RpcRequest, RpcReply } from '@po/messaging';
import { FOR_QUERIES } from '@po/platform';
import { TimeoutError, firstValueFrom, timeout } from 'rxjs';
import { REQUEST_TIMEOUT_MS, requestContext } from './order-handlers.js';

const PARTITIONS = 12;

/** Nest's transport uses a pattern as topic name; the prefix separates these topics from the product's. */
export const STOCK_PATTERNS = {
  detail: `bench.stock.${PATTERNS.detail.type}`,
  transition: `bench.stock.${PATTERNS.transition.type}`,
} as const;

/** Topics of requests and replies, with as many partitions as the product's request topics. */
export const STOCK_TOPICS: TopicSpecification[] = Object.values(STOCK_PATTERNS)
  .flatMap((pattern) => [pattern, `${pattern}.reply`])
  .map((topic) => ({ topic, partitions: PARTITIONS, retention: 600_000, maxMessageBytes: 8 * 2 ** 20 }));

/** Nest's documented options, and the KafkaJS option that lets a consumer process its partitions concurrently. */
export const stockOptions = (brokers: string[]): NonNullable<KafkaOptions['options']> => ({
  client: { clientId: 'bench-stock', brokers },
  consumer: { groupId: 'bench-stock', allowAutoTopicCreation: false },
  producer: { allowAutoTopicCreation: false },
  run: { partitionsConsumedConcurrently: PARTITIONS },
});

/** JSON message of Nest's transport. */
export interface StockMessage {
  payload: unknown;
  context: Omit<RpcContext, 'actor' | 'reserve'>;
}

/** As in the product, every command has its own signature; the command's id stands for the digest. */
export const purposeOf = ({ kind }: RpcPattern, commandId: string): string =>
  kind === 'command' ? commandId : FOR_QUERIES;

function messageOf(pattern: RpcPattern, payload: unknown, request: RpcRequest): StockMessage {
  const { actorToken, ...others } = request;
  const { commandId, deadline } = requestContext(pattern);
  const token = actorToken(purposeOf(pattern, commandId));
  const none = { idempotencyKey: null, idempotencyOrigin: 'minted', ifMatch: null, ifNoneMatch: null } as const;
  const context = { method: 'GET', ...none, ...others, type: pattern.type, actorToken: token, commandId, deadline };
  return { payload, context };
}

/** Sends requests with Nest's own Kafka client. It has no timeout, so rxjs applies the product's. */
export class StockClient implements Pick<KafkaRpcClient, 'request'> {
  private readonly client: ClientKafka;

  constructor(brokers: string[]) {
    this.client = ClientProxyFactory.create({
      transport: Transport.KAFKA,
      options: stockOptions(brokers),
    }) as ClientKafka;
  }

  /** Resolves when the consumer of the replies is running. */
  async connect(): Promise<void> {
    for (const pattern of Object.values(STOCK_PATTERNS)) this.client.subscribeToResponseOf(pattern);
    await this.client.connect();
  }

  /** Rejects with TIMEOUT after 3 s for a query, 8 s for a command. */
  async request(pattern: RpcPattern, payload: unknown, request: RpcRequest): Promise<RpcReply> {
    const message = { key: request.key ?? null, value: messageOf(pattern, payload, request) };
    const topic = pattern.type === PATTERNS.detail.type ? STOCK_PATTERNS.detail : STOCK_PATTERNS.transition;
    const replies = this.client.send<Reply>(topic, message).pipe(timeout(REQUEST_TIMEOUT_MS[pattern.kind]));
    try {
      const { status, headers, body } = await firstValueFrom(replies);
      return { status, headers, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) };
    } catch (error) {
      throw error instanceof TimeoutError ? new ProblemError('TIMEOUT') : error;
    }
  }
}

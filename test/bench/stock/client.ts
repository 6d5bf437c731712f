import { type ClientKafka, ClientProxyFactory, Transport } from '@nestjs/microservices';
import { ProblemError, type RpcPattern } from '@po/contracts';
import type { KafkaRpcClient, Reply, RpcRequest, RpcResponse } from '@po/messaging';
import { TimeoutError, firstValueFrom, timeout } from 'rxjs';
import { PATIENCE_MS } from '../order-handlers.js';
import { headersOf } from './headers.js';
import { STOCK_PATTERNS, stockOptions, stockPattern } from './options.js';

/** Asks the service through Nest's own Kafka client, which has no timeout: rxjs gives it the product's. */
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

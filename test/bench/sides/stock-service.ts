import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, KafkaContext, MessagePattern, Payload, Transport } from '@nestjs/microservices';
import { HEADERS, PATTERNS, type RpcPattern } from '@po/contracts';
import type { Reply, RpcContext } from '@po/messaging';
import { ActorVerifier, createLogger, nestLogger } from '@po/platform';
import { readConfig } from '@po/purchase-orders/dist/config.js';
import { OrderHandlers, announceUrl } from './order-handlers.js';
import { STOCK_PATTERNS, contextOf, purposeOf, stockOptions } from './stock-transport.js';

const config = readConfig();
const logger = createLogger('bench-stock-service', config.LOG_LEVEL);
const actors = new ActorVerifier(config.ACTOR_VERIFICATION_KEYS);
const handlers = await OrderHandlers.connect(config, logger);

/** The purchase-orders controller's two handlers behind Nest's own Kafka transport. */
@Controller()
class StockController {
  @MessagePattern(STOCK_PATTERNS.detail)
  async detail(@Payload() query: unknown, @Ctx() context: KafkaContext): Promise<Reply> {
    return handlers.detail(query, await verified(context, PATTERNS.detail));
  }

  @MessagePattern(STOCK_PATTERNS.transition)
  async transition(@Payload() command: unknown, @Ctx() context: KafkaContext): Promise<Reply> {
    return handlers.transition(command, await verified(context, PATTERNS.transition));
  }
}

@Module({ controllers: [StockController] })
class StockModule {}

async function verified(context: KafkaContext, pattern: RpcPattern): Promise<RpcContext> {
  const headers = context.getMessage().headers as Record<string, string>;
  const purpose = purposeOf(pattern, headers[HEADERS.commandId] ?? '');
  return contextOf(headers, await actors.verify(headers[HEADERS.actor], purpose));
}

const app = await NestFactory.createMicroservice(StockModule, {
  transport: Transport.KAFKA,
  options: stockOptions(config.KAFKA_BROKERS),
  logger: nestLogger(logger),
});
await app.listen();
announceUrl('');

import 'reflect-metadata';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, Payload, Transport } from '@nestjs/microservices';
import { PATTERNS, type RpcPattern } from '@po/contracts';
import type { Reply, RpcContext } from '@po/messaging';
import { ActorVerifier, createLogger, nestLogger } from '@po/platform';
import { readConfig } from '@po/purchase-orders/dist/config.js';
import { announceUrl, orderHandlers } from './order-handlers.js';
import { STOCK_PATTERNS, type StockMessage, purposeOf, stockOptions } from './stock-transport.js';

const config = readConfig();
const logger = createLogger('bench-stock-service', config.LOG_LEVEL);
const actors = new ActorVerifier(config.ACTOR_VERIFICATION_KEYS);
const handlers = await orderHandlers(config, logger);

/** The purchase-orders controller's two handlers behind Nest's own Kafka transport. */
@Controller()
class StockController {
  @MessagePattern(STOCK_PATTERNS.detail)
  async detail(@Payload() { payload, context }: StockMessage): Promise<Reply> {
    return handlers.detail(payload, await verified(context, PATTERNS.detail));
  }

  @MessagePattern(STOCK_PATTERNS.transition)
  async transition(@Payload() { payload, context }: StockMessage): Promise<Reply> {
    return handlers.transition(payload, await verified(context, PATTERNS.transition));
  }
}

@Module({ controllers: [StockController] })
class StockModule {}

async function verified(context: StockMessage['context'], pattern: RpcPattern): Promise<RpcContext> {
  const { actorToken, commandId } = context;
  const actor = await actors.verify(actorToken, purposeOf(pattern, commandId));
  return { ...context, actor, reserve: () => Promise.resolve() };
}

const app = await NestFactory.createMicroservice(StockModule, {
  transport: Transport.KAFKA,
  options: stockOptions(config.KAFKA_BROKERS),
  logger: nestLogger(logger),
});
await app.listen();
announceUrl('');

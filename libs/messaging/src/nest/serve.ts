import type { DynamicModule, INestMicroservice, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Logger, nestLogger } from '@po/platform';
import { RethrowFilter } from './dispatch.js';
import type { KafkaServer } from './kafka-server.js';

/** Runs a Nest module behind the Kafka server. Errors of its handlers reach the transport unchanged. */
export async function serve(
  module: DynamicModule | Type,
  strategy: KafkaServer,
  logger: Logger,
): Promise<INestMicroservice> {
  const app = await NestFactory.createMicroservice(module, {
    strategy,
    logger: nestLogger(logger),
    abortOnError: false,
  });
  app.useGlobalFilters(new RethrowFilter());
  await app.listen();
  return app;
}

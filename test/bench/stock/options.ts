import type { KafkaOptions } from '@nestjs/microservices';
import { PATTERNS, type RpcPattern, type TopicSpecification } from '@po/contracts';

const PARTITIONS = 12;
const KEPT_MS = 10 * 60_000;
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** A pattern is a topic to Nest's transport; the prefix keeps these apart from the product's. */
export const STOCK_PATTERNS = {
  detail: `bench.stock.${PATTERNS.detail.type}`,
  transition: `bench.stock.${PATTERNS.transition.type}`,
} as const;

/** The stock pattern of one of the product's. Throws for what this comparison does not cover. */
export function stockPattern({ type }: RpcPattern): string {
  if (type === PATTERNS.detail.type) return STOCK_PATTERNS.detail;
  if (type === PATTERNS.transition.type) return STOCK_PATTERNS.transition;
  throw new Error(`the stock side has no handler for ${type}`);
}

/** Requests and their replies, with the partitions of the product's request topics. */
export const STOCK_TOPICS: TopicSpecification[] = Object.values(STOCK_PATTERNS)
  .flatMap((pattern) => [pattern, `${pattern}.reply`])
  .map((topic) => ({ topic, partitions: PARTITIONS, retention: KEPT_MS, maxMessageBytes: MAX_MESSAGE_BYTES }));

/** Nest's documented options, and the one of KafkaJS that lets a consumer work on its partitions side by side. */
export const stockOptions = (brokers: string[]): NonNullable<KafkaOptions['options']> => ({
  client: { clientId: 'bench-stock', brokers },
  consumer: { groupId: 'bench-stock', allowAutoTopicCreation: false },
  producer: { allowAutoTopicCreation: false },
  run: { partitionsConsumedConcurrently: PARTITIONS },
});

import type { JsonSchema } from './json-schema.js';

interface Reference {
  $ref: string;
}

interface TopicConfiguration {
  'cleanup.policy': string[];
  'retention.ms'?: number;
}

export interface Message {
  name: string;
  summary: string;
  headers: JsonSchema;
  payload: JsonSchema;
  bindings: { kafka: { key: { description: string } } };
  examples: { summary: string; payload: unknown }[];
}

export interface Channel {
  address: string;
  summary: string;
  description: string;
  messages: Record<string, Reference>;
  bindings: { kafka: { partitions: number; topicConfiguration: TopicConfiguration } };
}

/** The subset of AsyncAPI 3 that the project's document uses. */
export interface AsyncApi {
  info: { description: string };
  channels: Record<string, Channel>;
  /** `send`: the service publishes, others consume. */
  operations: Record<string, { action: 'send' | 'receive'; channel: Reference }>;
  components: { messages: Record<string, Message>; schemas: Record<string, JsonSchema> };
}

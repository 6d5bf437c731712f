import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import type { Group, Topic } from '@po/contracts';
import type { ActorVerifier, Health, Logger } from '@po/platform';
import { ConsumerLoop } from '../consuming/consumer-loop.js';
import { EventConsumer, type EventConsumerOptions } from '../consuming/event-consumer.js';
import type { KafkaPort } from '../kafka-port.js';
import { deadLetters } from '../metrics.js';
import { Publisher } from '../publishing/publisher.js';
import { RpcServer } from '../rpc/rpc-server.js';
import { dispatch } from './dispatch.js';

export interface RpcSubscription {
  group: Group;
  topic: Topic;
  /** Number of requests handled concurrently: about the size of the database pool. */
  concurrency: number;
}

export interface EventSubscription extends Pick<EventConsumerOptions, 'group' | 'typeHeader' | 'schemas' | 'checkKey'> {
  topics: Topic[];
  /** Those of the topics whose records with the same key may be handled in any order, because their effects commute. */
  unordered?: Topic[];
  concurrency: number;
}

export interface KafkaServerOptions {
  kafka: KafkaPort;
  logger: Logger;
  /** Appended to every group's name. */
  groupSuffix: string;
  /** Id of this replica, if it has one that survives a restart. */
  instance?: string | undefined;
  actors: ActorVerifier;
  health: Health;
  rpc?: RpcSubscription[];
  events?: EventSubscription[];
}

type Handler = (payload: unknown, context: unknown) => Promise<unknown>;

/** Longer than a command may take. Together with the commit and leave that follow, shorter than the shutdown step. */
const DRAIN_MS = 9_000;

/**
 * Nest's transport strategy over Kafka. `@MessagePattern(type)` handles requests, `@EventPattern(type)` events. Payloads are validated
 * against the contracts and actors verified before a handler is called.
 */
export class KafkaServer extends Server implements CustomTransportStrategy {
  override readonly transportId = Symbol('kafka');
  override readonly propagatesEventHandlerErrors = true;
  private readonly loops: ConsumerLoop[];
  private readonly replies: Publisher;
  private readonly deadLetters: Publisher;
  private readonly handlers = new Map<string, Handler>();
  private draining: Promise<void> | null = null;

  constructor(private readonly options: KafkaServerOptions) {
    super();
    const { kafka, logger, health } = options;
    this.replies = new Publisher(kafka, { acks: 'leader', logger });
    this.deadLetters = new Publisher(kafka, { acks: 'all', logger });
    this.loops = [
      ...(options.rpc ?? []).map((subscription) => this.rpcLoop(subscription)),
      ...(options.events ?? []).map((subscription) => this.eventLoop(subscription)),
    ];
    health.addReadiness('kafka', () => this.loops.map(({ ready }) => ready).find((ready) => ready !== true) ?? true);
    health.addLiveness('kafka', () => this.loops.map(({ alive }) => alive).find((alive) => alive !== true) ?? true);
  }

  /** Joins the groups in the background, and retries while Kafka is unavailable. */
  listen(callback: () => void): void {
    for (const loop of this.loops) loop.start();
    callback();
  }

  /** Finishes accepted records, commits and leaves the groups. Safe to call twice. */
  drain(): Promise<void> {
    this.draining ??= (async () => {
      await Promise.all(this.loops.map((loop) => loop.drain(DRAIN_MS)));
      await Promise.all([this.replies.close(), this.deadLetters.close()]);
    })();
    return this.draining;
  }

  close(): Promise<void> {
    return this.drain();
  }

  on(): never {
    throw new Error('the Kafka server emits no events; see readiness and metrics');
  }

  unwrap<T>(): T {
    return this.options.kafka as T;
  }

  // Cached, because Nest normalizes the pattern on every lookup.
  private handlerOf(type: string): Handler | null {
    const known = this.handlers.get(type);
    if (known) return known;
    const bound = this.getHandlerByPattern(type);
    if (!bound) return null;
    const handler: Handler = (payload, context) => dispatch(bound, payload, context);
    this.handlers.set(type, handler);
    return handler;
  }

  private rpcLoop({ group, topic, concurrency }: RpcSubscription): ConsumerLoop {
    const { kafka, logger, actors, groupSuffix, instance } = this.options;
    const server = new RpcServer({
      group,
      actors,
      logger,
      replies: this.replies,
      handlerOf: (type) => this.handlerOf(type),
    });
    return new ConsumerLoop({
      kafka,
      logger,
      concurrency,
      consumer: { group: group + groupSuffix, topics: [topic], from: 'earliest', instance },
      queueKeyOf: ({ key }) => key?.toString('utf8') ?? null,
      handle: (record, stopped) => server.handle(record, stopped),
    });
  }

  private eventLoop({ topics, unordered, concurrency, ...subscription }: EventSubscription): ConsumerLoop {
    const { kafka, logger, groupSuffix, instance } = this.options;
    // Starts the counter at 0. Without an earlier value, the first dead letter would not show as an increase and raise no alarm.
    deadLetters.inc({ group: subscription.group }, 0);
    const withoutOrder = new Set<string>(unordered);
    const events = new EventConsumer({
      ...subscription,
      logger,
      deadLetters: this.deadLetters,
      handlerOf: (type) => this.handlerOf(type),
    });
    return new ConsumerLoop({
      kafka,
      logger,
      concurrency,
      consumer: { group: subscription.group + groupSuffix, topics, from: 'earliest', instance },
      // The topic is part of the key: records of one key on two topics have no order and must not wait for each other.
      queueKeyOf: ({ topic, key }) => (withoutOrder.has(topic) ? null : `${topic} ${key?.toString('utf8') ?? ''}`),
      handle: (record, stopped) => events.handle(record, stopped),
    });
  }
}

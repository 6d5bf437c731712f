import type { DynamicModule } from '@nestjs/common';
import { ActorVerifier, type DrainStep, type Service, type ServiceConfig, waitForDependency } from '@po/platform';
import type { KafkaPort } from '../kafka-port.js';
import { type KafkaSettings, connectKafka } from '../connect-kafka.js';
import { KafkaServer, type KafkaServerOptions } from './kafka-server.js';
import { serve } from './serve.js';

/** Limit for finishing accepted records, committing and leaving the groups, each of which has its own limit. */
const CONSUMER_DRAIN_TIMEOUT_MS = 15_000;

type KafkaServiceConfig = ServiceConfig &
  KafkaSettings & {
    KAFKA_GROUP_SUFFIX: string;
    ACTOR_VERIFICATION_KEYS: ConstructorParameters<typeof ActorVerifier>[0];
  };

/** The parts that differ between services behind Kafka. */
interface Parts {
  /** Its handlers receive messages once the dependencies are open and `begin` has run. */
  module: DynamicModule;
  /** Opened in order, each retried until it opens; until then, readiness names the dependency. */
  dependencies?: Record<string, () => Promise<unknown>>;
  /** Starts background work. */
  begin: () => unknown;
  /** Run on a signal, after the consumers have finished accepted records. */
  drain: DrainStep[];
}

/** Runs a service behind Kafka until a signal. Resolves once it listens or must stop; rejects only for errors that waiting cannot fix. */
export async function runKafkaService(
  { name, config, logger, health, drainBy }: Service<KafkaServiceConfig>,
  subscriptions: Pick<KafkaServerOptions, 'rpc' | 'events'>,
  assemble: (kafka: KafkaPort) => Parts,
): Promise<void> {
  const { KAFKA_GROUP_SUFFIX: groupSuffix, INSTANCE_ID: instance, ACTOR_VERIFICATION_KEYS: verificationKeys } = config;
  const kafka = connectKafka(config, name, logger);
  health.addReadiness('kafka access', () => {
    const refused = kafka.authorizationFailures();
    return refused.length === 0 || `this user may not ${refused.join(', ')}`;
  });
  const actors = new ActorVerifier(verificationKeys);
  const server = new KafkaServer({ kafka, logger, groupSuffix, instance, actors, health, ...subscriptions });
  const { module, dependencies = {}, begin, drain } = assemble(kafka);
  drainBy([{ name: 'consumers', run: () => server.drain(), timeoutMs: CONSUMER_DRAIN_TIMEOUT_MS }, ...drain]);
  for (const [dependency, open] of Object.entries(dependencies)) {
    if (!(await waitForDependency(dependency, open, { health, logger }))) return;
  }
  await begin();
  await serve(module, server, logger);
}

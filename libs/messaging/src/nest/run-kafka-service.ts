import type { DynamicModule } from '@nestjs/common';
import { ActorVerifier, type DrainStep, type Service, type ServiceConfig, waitForDependency } from '@po/platform';
import type { KafkaPort } from '../kafka-port.js';
import { type KafkaSettings, connectKafka } from '../connect-kafka.js';
import { KafkaServer, type KafkaServerOptions } from './kafka-server.js';
import { serve } from './serve.js';

/** Finishing what was taken, committing, and leaving the groups, which each have bounds of their own. */
const CONSUMERS_WITHIN_MS = 15_000;

type KafkaServiceConfig = ServiceConfig &
  KafkaSettings & {
    KAFKA_GROUP_SUFFIX: string;
    ACTOR_VERIFICATION_KEYS: ConstructorParameters<typeof ActorVerifier>[0];
  };

/** The parts that differ between services behind Kafka. */
interface Parts {
  /** Its handlers take what arrives, once all below is done. */
  module: DynamicModule;
  /** Opened one after another, each tried until it opens; until then readiness says what is waited for. */
  dependencies?: Record<string, () => Promise<unknown>>;
  /** Starts background work. */
  begin: () => unknown;
  /** Run on a signal, after the consumers have finished what they took. */
  drain: DrainStep[];
}

/** Runs a service behind Kafka until a signal. Resolves when it listens, or is to stop before; rejects only for what waiting cannot cure. */
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
  drainBy([{ name: 'consumers', run: () => server.drain(), withinMs: CONSUMERS_WITHIN_MS }, ...drain]);
  for (const [dependency, open] of Object.entries(dependencies)) {
    if (!(await waitForDependency(dependency, open, { health, logger }))) return;
  }
  await begin();
  await serve(module, server, logger);
}

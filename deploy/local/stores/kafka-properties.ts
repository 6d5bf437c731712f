import { isIPv6 } from 'node:net';
import { dirname, join } from 'node:path';
import { replicationOn } from '@po/messaging';
import { REPOSITORY } from '../repository.js';
import { type KafkaSecurity, securedBy } from './kafka-security.js';

export const RECIPE = join(REPOSITORY, 'deploy/local/stores/kafka');
export const LOOPBACK = '127.0.0.1';

/** A broker, which may also be a controller, with its ports. */
export interface KafkaNode {
  /** 1, 2, 3 … */
  id: number;
  kafka: number;
  controller: number;
}

export interface KafkaOptions {
  /** Data folder of the first broker; further brokers use `<data>-2` and so on. */
  data: string;
  /** Log file of the first broker; further brokers are named likewise. */
  log: string;
  cache: string;
  /** The version of the local stack if absent. */
  kafkaVersion?: string | undefined;
  nodes: readonly KafkaNode[];
  /** Listening address of all nodes; 127.0.0.1 if absent. */
  host?: string | undefined;
  /** Number of controllers, counted from the first node; all nodes if absent. The cluster needs a majority of them. */
  controllers?: number | undefined;
  /** Milliseconds without a heartbeat after which the controller moves a broker's partitions. */
  brokerSessionMs: number;
  /** Starts faster and runs slower. */
  isShortLived?: boolean | undefined;
  /** Authenticating listeners, for a cluster of one broker. */
  security?: KafkaSecurity | undefined;
}

/** The host as written before a port, with brackets for IPv6. */
export const hostOf = ({ host = LOOPBACK }: KafkaOptions): string => (isIPv6(host) ? `[${host}]` : host);

/** Escapes a value of a properties file, which Kafka reads as ISO 8859-1, because the folder may have any letters. */
const escaped = (value: string): string =>
  value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll(/[^\x20-\x7e]/g, (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Returns the text of a broker's `server.properties` and writes the key files that it refers to. */
export async function serverProperties(data: string, node: KafkaNode, options: KafkaOptions): Promise<string> {
  const { nodes, brokerSessionMs, controllers = nodes.length, security } = options;
  const replication = replicationOn(nodes.length);
  const minIsr = Math.max(1, replication - 1);
  const host = hostOf(options);
  const secured = security && (await securedBy(security, { folder: dirname(data), host }));
  const forClients = [`PLAINTEXT://${host}:${node.kafka}`, ...(secured?.listeners ?? [])];
  const isController = node.id <= controllers;
  const properties = {
    'process.roles': isController ? 'broker,controller' : 'broker',
    'node.id': node.id,
    'controller.quorum.voters': nodes
      .slice(0, controllers)
      .map(({ id, controller }) => `${id}@${host}:${controller}`)
      .join(','),
    listeners: [...forClients, ...(isController ? [`CONTROLLER://${host}:${node.controller}`] : [])].join(','),
    'advertised.listeners': forClients.join(','),
    'listener.security.protocol.map': [
      'PLAINTEXT:PLAINTEXT',
      'CONTROLLER:PLAINTEXT',
      ...(secured?.protocols ?? []),
    ].join(','),
    'inter.broker.listener.name': 'PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': data,
    'auto.create.topics.enable': false,
    'offsets.topic.num.partitions': 4,
    'offsets.topic.replication.factor': replication,
    'transaction.state.log.num.partitions': 1,
    'transaction.state.log.replication.factor': replication,
    'transaction.state.log.min.isr': minIsr,
    'share.coordinator.state.topic.num.partitions': 1,
    'share.coordinator.state.topic.replication.factor': replication,
    'share.coordinator.state.topic.min.isr': minIsr,
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 1_000,
    'broker.session.timeout.ms': brokerSessionMs,
    'broker.heartbeat.interval.ms': 500,
    'replica.lag.time.max.ms': 10_000,
    'replica.socket.timeout.ms': 10_000,
    'controller.socket.timeout.ms': 10_000,
    'num.network.threads': 2,
    'num.io.threads': 4,
    'background.threads': 2,
    'log.cleaner.threads': 1,
    'log.cleaner.dedupe.buffer.size': 4_194_304,
    'log.index.size.max.bytes': 1_048_576,
    'log.retention.check.interval.ms': 1_000,
    'log.initial.task.delay.ms': 1_000,
  };
  const lines = Object.entries(properties).map(([name, value]) => `${name}=${escaped(String(value))}`);
  return [...lines, ...(secured?.properties ?? []), ''].join('\n');
}

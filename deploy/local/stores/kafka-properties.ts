import { readFile } from 'node:fs/promises';
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
  const host = hostOf(options);
  const secured = security && (await securedBy(security, { folder: dirname(data), host }));
  const forClients = [`PLAINTEXT://${host}:${node.kafka}`, ...(secured?.listeners ?? [])];
  const isController = node.id <= controllers;
  const values: Record<string, string | number> = {
    NODE_ID: node.id,
    ROLES: isController ? 'broker,controller' : 'broker',
    VOTERS: nodes
      .slice(0, controllers)
      .map(({ id, controller }) => `${id}@${host}:${controller}`)
      .join(','),
    LISTENERS: [...forClients, ...(isController ? [`CONTROLLER://${host}:${node.controller}`] : [])].join(','),
    ADVERTISED: forClients.join(','),
    PROTOCOLS: ['PLAINTEXT:PLAINTEXT', 'CONTROLLER:PLAINTEXT', ...(secured?.protocols ?? [])].join(','),
    DATA: data,
    REPLICATION: replication,
    MIN_ISR: Math.max(1, replication - 1),
    BROKER_SESSION_MS: brokerSessionMs,
  };
  const template = await readFile(join(RECIPE, 'server.properties'), 'utf8');
  const text = Object.entries(values).reduce(
    (all, [name, value]) => all.replaceAll(`@${name}@`, () => escaped(String(value))),
    template,
  );
  return [text.trimEnd(), ...(secured?.properties ?? []), ''].join('\n');
}

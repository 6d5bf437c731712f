import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { dirname, join } from 'node:path';
import { replicationOn } from '@po/messaging';
import { REPOSITORY } from '../repository.js';
import { type KafkaSecurity, securedBy } from './kafka-security.js';

export const RECIPE = join(REPOSITORY, 'deploy/local/stores/kafka');
export const LOOPBACK = '127.0.0.1';

/** A broker, which may be a controller too, and its ports. */
export interface KafkaNode {
  /** 1, 2, 3 … */
  id: number;
  kafka: number;
  controller: number;
}

export interface KafkaOptions {
  /** Of the first broker; the others stand beside it, as `<data>-2`. */
  data: string;
  /** Likewise. */
  log: string;
  cache: string;
  /** The one of the local stack if absent. */
  kafkaVersion?: string | undefined;
  nodes: readonly KafkaNode[];
  /** The address that all listen on; 127.0.0.1 if absent. */
  host?: string | undefined;
  /** How many of the nodes, from the first on, are controllers; all if absent. The cluster works while most of these do. */
  controllers?: number | undefined;
  /** Milliseconds without a heartbeat after which the controller takes a broker's partitions away. */
  brokerSessionMs: number;
  /** Starts faster and is slower afterwards. */
  isShortLived?: boolean | undefined;
  /** Of a cluster of one broker: listeners that ask who comes. */
  security?: KafkaSecurity | undefined;
}

/** As it stands before a port. */
export const hostOf = ({ host = LOOPBACK }: KafkaOptions): string => (isIPv6(host) ? `[${host}]` : host);

/** As a value of a properties file, which Kafka reads as ISO 8859-1: the folder may have any letters. */
const escaped = (value: string): string =>
  value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll(/[^\x20-\x7e]/g, (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The text of a broker's `server.properties`; what it names beside them is written. */
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

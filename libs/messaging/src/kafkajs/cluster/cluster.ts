import { firstSuccess } from './first-success.js';
import { Node } from './node.js';
import { API, type BrokerConnection, CODE, KafkaProtocolError, requireNoError } from './protocol.js';
import type { AuthorizationFailures } from './authorization-failures.js';
import type { Api } from './versioned-apis.js';

/** If a broker does not answer within this time, the next one is asked in parallel. */
const HEDGE_DELAY_MS = 300;
/** Maximum age of metadata, because topics can gain partitions and clusters can gain brokers. */
const MAX_AGE_MS = 300_000;
/** Maximum age while a partition has no leader, because it may get one at any time. */
const LEADERLESS_MAX_AGE_MS = 1_000;
const GROUP_COORDINATOR = 0;

export interface ClusterOptions {
  /** Bootstrap brokers. */
  brokers: readonly { host: string; port: number }[];
  connect: (host: string, port: number) => BrokerConnection;
  /** Milliseconds after which metadata is refreshed; 5 minutes if absent. */
  maxAgeMs?: number | undefined;
  authorizationFailures: AuthorizationFailures;
}

/** Metadata of brokers and partition leaders. It depends on no single broker: the first answer is used. */
export class Cluster {
  private readonly nodes = new Map<string, Node>();
  /** Addresses by broker id. */
  private readonly addresses = new Map<number, string>();
  private readonly leaders = new Map<string, number[]>();
  private readonly topicIds = new Map<string, string>();
  private readonly topics = new Set<string>();
  /** Topics that this client is not allowed to describe. */
  private readonly hidden = new Set<string>();
  private refreshing: Promise<void> | null = null;
  /** Time from which the metadata is refreshed. */
  private staleAt = -Infinity;
  private closed = false;

  constructor(private readonly options: ClusterOptions) {
    for (const { host, port } of options.brokers) this.nodeAt(host, port);
  }

  get authorizationFailures(): AuthorizationFailures {
    return this.options.authorizationFailures;
  }

  /** Refreshes the metadata. Rejects if no broker answers. */
  refresh(): Promise<void> {
    this.refreshing ??= this.fetchMetadata().finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
  }

  /** Loads the metadata of these topics. Rejects if a topic does not exist or this client is not allowed to describe it. */
  async ensureMetadata(topics: Iterable<string>): Promise<void> {
    for (const topic of topics) this.topics.add(topic);
    const missing = () => [...topics].find((topic) => !this.leaders.has(topic));
    // The current metadata is used during this refresh; a caller that finds it outdated refreshes it.
    if (performance.now() > this.staleAt) this.refresh().catch(() => undefined);
    // A refresh in progress may have been sent before these topics were added, so two attempts may be needed.
    for (let tries = 0; tries < 2 && missing() !== undefined; tries += 1) await this.refresh();
    const unknown = missing();
    if (unknown === undefined) return;
    if (this.hidden.has(unknown)) throw new KafkaProtocolError(CODE.topicAuthorizationFailed, `topic ${unknown}`);
    throw new Error(`topic ${unknown} does not exist`);
  }

  /** Number of partitions; 0 for an unknown topic. */
  partitions(topic: string): number {
    return this.leaders.get(topic)?.length ?? 0;
  }

  /** The id of the partition's leader; -1 if there is none or it is unknown. */
  leaderOf(topic: string, partition: number): number {
    return this.leaders.get(topic)?.[partition] ?? -1;
  }

  /** The topic id, which differs from that of a deleted topic of the same name (KIP-516); null if unknown. */
  topicId(topic: string): string | null {
    return this.topicIds.get(topic) ?? null;
  }

  /** Throws for an unknown broker, and for -1, which `leaderOf` returns if there is no leader. */
  node(id: number): Node {
    if (id < 0) throw new Error('the partition has no leader, or its topic does not exist');
    const node = this.nodes.get(this.addresses.get(id) ?? '');
    if (!node) throw new Error(`broker ${id} is not known`);
    return node;
  }

  /** The id of the broker that coordinates the group. */
  async coordinatorOf(groupId: string): Promise<number> {
    const answer = await this.anyBroker(API.findCoordinator, { groupId, coordinatorType: GROUP_COORDINATOR });
    this.authorizationFailures.note(answer.errorCode, 'describe', 'group', groupId);
    requireNoError(answer.errorCode, `coordinator of group ${groupId}`);
    const { nodeId, host, port } = answer.coordinator;
    this.addresses.set(nodeId, this.nodeAt(host, port).address);
    return nodeId;
  }

  /** The first answer of any broker. Brokers whose last request failed are asked last. */
  anyBroker<Ask, Answer>(api: Api<Ask, Answer>, ask: Ask): Promise<Answer> {
    const nodes = [...this.nodes.values()]
      .map((node) => ({ node, order: node.failedAt === -Infinity ? Math.random() : 1 + Math.random() }))
      .toSorted((one, other) => one.order - other.order);
    return firstSuccess(
      nodes.map(
        ({ node }) =>
          () =>
            node.send(api, ask),
      ),
      HEDGE_DELAY_MS,
    );
  }

  /** Closes the connections permanently. */
  close(): void {
    this.closed = true;
    for (const node of this.nodes.values()) node.close();
  }

  private async fetchMetadata(): Promise<void> {
    const { brokers, topics } = await this.anyBroker(API.metadata, { topics: [...this.topics] });
    this.addresses.clear();
    for (const { nodeId, host, port } of brokers) this.addresses.set(nodeId, this.nodeAt(host, port).address);
    this.forgetNodes();
    for (const { topic, topicId, errorCode, partitions } of topics) {
      this.authorizationFailures.note(errorCode, 'describe', 'topic', topic);
      if (errorCode === CODE.topicAuthorizationFailed) this.hidden.add(topic);
      else this.hidden.delete(topic);
      // A broker that has just started may not know the topic yet.
      if (errorCode !== 0) continue;
      const leaders: number[] = [];
      for (const { partition, leader } of partitions) leaders[partition] = leader;
      this.leaders.set(topic, leaders);
      this.topicIds.set(topic, topicId);
    }
    const { maxAgeMs = MAX_AGE_MS } = this.options;
    const leaderless = [...this.leaders.values()].some((leaders) => leaders.some((leader) => leader < 0));
    this.staleAt = performance.now() + (leaderless ? LEADERLESS_MAX_AGE_MS : maxAgeMs);
  }

  /** Drops outdated addresses: a restarted broker, such as a pod, may come back at another address. */
  private forgetNodes(): void {
    const wanted = new Set(this.addresses.values());
    for (const { host, port } of this.options.brokers) wanted.add(`${host}:${port}`);
    for (const [address, node] of this.nodes) {
      if (wanted.has(address)) continue;
      node.close();
      this.nodes.delete(address);
    }
  }

  private nodeAt(host: string, port: number): Node {
    if (this.closed) throw new Error('the client was closed');
    const address = `${host}:${port}`;
    const known = this.nodes.get(address);
    if (known) return known;
    const node = new Node(address, () => this.options.connect(host, port));
    this.nodes.set(address, node);
    return node;
  }
}

/** Host and port. An IPv6 host contains colons itself. */
export function splitAddress(address: string): { host: string; port: number } {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at).replace(/^\[(.*)\]$/, '$1'), port: Number(address.slice(at + 1)) };
}

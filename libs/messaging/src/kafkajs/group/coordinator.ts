import type { Cluster } from '../cluster/cluster.js';
import type { Node } from '../cluster/node.js';
import { CODE, KafkaProtocolError } from '../cluster/protocol.js';

/** The coordinator is another broker, or not ready yet: the caller looks it up again. */
const ELSEWHERE: readonly number[] = [CODE.coordinatorLoading, CODE.coordinatorNotAvailable, CODE.notCoordinator];

/** True for what a broker refuses because it does not coordinate the group, or not yet. */
export const isElsewhere = (error: unknown): boolean =>
  error instanceof KafkaProtocolError && ELSEWHERE.includes(error.code);

/**
 * A connection to the broker that coordinates a group. Its requests are answered one after another, so what must not wait for each other
 * has one each.
 */
export class Coordinator {
  private node: Node | null = null;
  /** Shared by all who ask meanwhile: each would open a connection, and one of them be forgotten. */
  private finding: Promise<Node> | null = null;

  constructor(
    private readonly cluster: Cluster,
    private readonly group: string,
  ) {}

  /** One more connection to it, for its holder to close; null unless it was found and has not failed since. */
  separate(): Node | null {
    return this.node?.separate() ?? null;
  }

  /** The result of `send`. If the coordinator does not answer or has changed, the next call looks it up again. */
  async ask<T>(send: (node: Node) => Promise<T>): Promise<T> {
    const finding = (this.finding ??= this.find());
    const lookUpAgain = () => {
      if (this.finding === finding) this.close();
    };
    const node = await finding.catch((error: unknown) => {
      lookUpAgain();
      throw error;
    });
    return send(node).catch((error: unknown) => {
      if (!(error instanceof KafkaProtocolError) || isElsewhere(error)) lookUpAgain();
      throw error;
    });
  }

  /** Rejects pending requests; the coordinator can be used again. */
  close(): void {
    this.finding?.then(
      (node) => node.close(),
      () => undefined,
    );
    this.finding = null;
    this.node = null;
  }

  private async find(): Promise<Node> {
    this.node = this.cluster.node(await this.cluster.coordinatorOf(this.group)).separate();
    return this.node;
  }
}

import type { Cluster } from '../cluster/cluster.js';
import type { Node } from '../cluster/node.js';
import { CODE, KafkaProtocolError } from '../cluster/protocol.js';

/** The coordinator is another broker, or not ready yet: the caller looks it up again. */
const WRONG_COORDINATOR: readonly number[] = [
  CODE.coordinatorLoading,
  CODE.coordinatorNotAvailable,
  CODE.notCoordinator,
];

/** True if a broker refuses a request because it does not coordinate the group, or not yet. */
export const isWrongCoordinator = (error: unknown): boolean =>
  error instanceof KafkaProtocolError && WRONG_COORDINATOR.includes(error.code);

/**
 * A connection to the broker that coordinates a group. Requests on it are answered one after another, so independent requests need
 * separate connections.
 */
export class Coordinator {
  private node: Node | null = null;
  /** The current lookup, shared by all callers: concurrent lookups would each open a connection, of which one would leak. */
  private finding: Promise<Node> | null = null;

  constructor(
    private readonly cluster: Cluster,
    private readonly group: string,
  ) {}

  /** A new connection to the coordinator, to be closed by the caller; null unless it was found and has not failed since. */
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
      if (!(error instanceof KafkaProtocolError) || isWrongCoordinator(error)) lookUpAgain();
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

import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, backOffMs } from '@po/platform';
import { assign, partitionsIn, protocolsOf, subscriptionOf } from './assignments.js';
import type { Cluster } from '../cluster/cluster.js';
import { Coordinator, isWrongCoordinator } from './coordinator.js';
import type { TopicPartition } from './assignor.js';
import { GroupOffsets } from './group-offsets.js';
import { levelOf } from '../log.js';
import { API, CODE, KafkaProtocolError, requireNoError } from '../cluster/protocol.js';

// A killed member's partitions make no progress until its session ends, so sessions are short. That is safe because no handler can delay
// a heartbeat.
// A coordinator answers a heartbeat only once earlier commits are on every in-sync replica. A dead broker counts as in sync for 9 s
// (`broker.session.timeout.ms`), and for about 3 s more if a controller must be elected first. Sessions outlast that.
const SESSION = { timeoutMs: 18_000, heartbeatMs: 1_000 };
const LEAVE_TIMEOUT_MS = 1_000;
const RETRY = { initialMs: 100, maxMs: 1_000 };
/** Errors of the coordinator for a member that is no longer in the group. */
const NO_LONGER_MEMBER: readonly number[] = [CODE.unknownMemberId, CODE.illegalGeneration, CODE.fencedInstanceId];

interface MembershipOptions {
  cluster: Cluster;
  group: string;
  topics: readonly string[];
  /** See `ConsumerOptions.instance`. */
  instance: string | null;
  logger: Logger;
  /** Session timing; `SESSION` if absent. */
  session?: typeof SESSION;
  /** A rebalance began: partitions stay assigned until `onAssigned`. */
  onRebalancing: () => void;
  onAssigned: (assignment: readonly TopicPartition[]) => void;
  /** The partitions may already belong to another member: their records must not be handled or committed (KIP-429). */
  onPartitionsLost: () => void;
}

/**
 * One member of a consumer group. It joins, sends heartbeats and joins again in a rebalance, all concurrently with fetching: while the
 * group waits for a dead member, or the coordinator is unavailable for less than the session, assigned partitions are still read.
 */
export class Membership {
  private memberId = '';
  private generation = -1;
  private readonly coordinator: Coordinator;
  readonly offsets: GroupOffsets;
  private readonly leaving = new AbortController();
  private staying: Promise<void> = Promise.resolve();
  /** The partition counts of the topics at the last join. */
  private counts = '';
  private instance: string | null;
  private readonly session: typeof SESSION;
  private assignment: readonly TopicPartition[] = [];
  private lost = false;
  private expiry: NodeJS.Timeout | undefined;

  constructor(private readonly options: MembershipOptions) {
    this.instance = options.instance;
    this.session = options.session ?? SESSION;
    this.coordinator = new Coordinator(options.cluster, options.group);
    const member = () => ({ groupId: options.group, memberId: this.memberId, groupGenerationId: this.generation });
    this.offsets = new GroupOffsets({ ...options, member });
  }

  /** Joins and stays until `leave`. Retries until there is a coordinator; rejects if it cannot join for another reason. */
  async start(): Promise<void> {
    this.take(await this.joinFirst());
    this.staying = this.stay();
  }

  /** Leaves the group, so that the group does not wait for the session to end. */
  async leave(): Promise<void> {
    this.leaving.abort();
    clearTimeout(this.expiry);
    if (this.memberId !== '') await this.leaveGroup();
    this.coordinator.close();
    this.offsets.close();
    await this.staying;
  }

  // Over a separate connection: a running join blocks other requests.
  private async leaveGroup(): Promise<void> {
    const { group, logger } = this.options;
    const node = this.coordinator.separate();
    await node
      ?.send(API.leaveGroup, this.member(), LEAVE_TIMEOUT_MS)
      .catch((error: unknown) => logger.debug({ err: error, group }, 'could not leave the group'))
      .finally(() => node.close());
  }

  private async joinFirst(): Promise<TopicPartition[]> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.join();
      } catch (error) {
        // A new cluster creates the topic for group offsets only when the first group joins.
        if (!isWrongCoordinator(error) && codeOf(error) !== CODE.rebalanceInProgress) throw error;
        await delay(backOffMs(failures, RETRY), undefined, { signal: this.leaving.signal });
      }
    }
  }

  private async stay(): Promise<void> {
    let joined = true;
    for (let failures = 0; !this.leaving.signal.aborted;) {
      try {
        if (joined) {
          await delay(this.session.heartbeatMs, undefined, { signal: this.leaving.signal });
          await this.heartbeat();
          joined = await this.isComplete();
        } else {
          const assignment = await this.join();
          if (this.leaving.signal.aborted) return;
          this.take(assignment);
          joined = true;
        }
        failures = 0;
      } catch (error) {
        if (this.leaving.signal.aborted) return;
        const code = codeOf(error);
        if (code === CODE.rebalanceInProgress) {
          joined = false;
          this.options.onRebalancing();
          continue;
        }
        if (code !== null && !isWrongCoordinator(error)) joined = false;
        if (code !== null && NO_LONGER_MEMBER.includes(code)) this.loseOwnership();
        if (code === CODE.unknownMemberId) this.memberId = '';
        if (code === CODE.fencedInstanceId) this.onFencedInstance();
        failures += 1;
        this.report(error, failures);
        await delay(backOffMs(failures, RETRY), undefined, { signal: this.leaving.signal }).catch(() => undefined);
      }
    }
  }

  private async heartbeat(): Promise<void> {
    const { group } = this.options;
    const ask = { ...this.member(), groupGenerationId: this.generation };
    const sentAt = performance.now();
    await this.coordinator.ask(async (node) => {
      const { errorCode } = await node.send(API.heartbeat, ask);
      requireNoError(errorCode, `heartbeat in group ${group}`);
    });
    this.renewSession(sentAt);
    // The generation is the same, so no other member got the lost partitions.
    if (this.lost) this.take(this.assignment);
  }

  private take(assignment: readonly TopicPartition[]): void {
    this.assignment = assignment;
    this.lost = false;
    this.options.onAssigned(assignment);
  }

  // Counts from the sending of the request, because the coordinator's own session starts later. A rebalance waits up to a session for this
  // member to join, so no other member gets its partitions before this member has lost them.
  private renewSession(sentAt: number): void {
    clearTimeout(this.expiry);
    if (this.leaving.signal.aborted) return;
    const left = sentAt + this.session.timeoutMs - performance.now();
    this.expiry = setTimeout(() => this.loseOwnership(), left);
  }

  private loseOwnership(): void {
    clearTimeout(this.expiry);
    if (this.lost || this.leaving.signal.aborted) return;
    this.lost = true;
    const { logger, group, onPartitionsLost } = this.options;
    logger.warn({ group }, 'the group membership ended: other members may own the partitions');
    onPartitionsLost();
  }

  /** False once a topic has gained partitions since the last join. */
  private async isComplete(): Promise<boolean> {
    const { cluster, topics } = this.options;
    await cluster.ensureMetadata(topics);
    return topics.map((topic) => cluster.partitions(topic)).join() === this.counts;
  }

  private async join(): Promise<TopicPartition[]> {
    const { group, cluster, topics } = this.options;
    await cluster.ensureMetadata(topics);
    this.counts = topics.map((topic) => cluster.partitions(topic)).join();
    const { members, leaderId } = await this.joinGroup();
    const groupAssignment = leaderId === this.memberId ? await this.assign(members) : [];
    const ask = { ...this.member(), generationId: this.generation, groupAssignment };
    const sentAt = performance.now();
    try {
      return await this.coordinator.ask(async (node) => {
        const { errorCode, memberAssignment } = await node.send(API.syncGroup, ask, this.joinWithinMs);
        requireNoError(errorCode, `assignment in group ${group}`);
        this.renewSession(sentAt);
        return partitionsIn(memberAssignment, topics);
      });
    } catch (error) {
      // Without an answer, other members may already read partitions that this generation took from this member.
      if (codeOf(error) === null) this.loseOwnership();
      throw error;
    }
  }

  /** The coordinator answers a join once all members have joined or the rebalance timeout has passed. */
  private get joinWithinMs(): number {
    return this.session.timeoutMs + 2_000;
  }

  private async joinGroup() {
    const { group, topics } = this.options;
    const holding = { generation: this.generation, held: this.lost ? [] : this.assignment };
    for (;;) {
      const ask = {
        ...this.member(),
        protocolType: 'consumer',
        groupProtocols: protocolsOf(topics, holding),
        sessionTimeout: this.session.timeoutMs,
        rebalanceTimeout: this.session.timeoutMs,
      };
      const answer = await this.coordinator.ask(async (node) => {
        const joined = await node.send(API.joinGroup, ask, this.joinWithinMs);
        this.options.cluster.authorizationFailures.note(joined.errorCode, 'read', 'group', group);
        this.memberId = joined.memberId || this.memberId;
        if (joined.errorCode !== CODE.memberIdRequired) requireNoError(joined.errorCode, `join of group ${group}`);
        return joined;
      });
      if (answer.errorCode === CODE.memberIdRequired) continue;
      this.generation = answer.generationId;
      return answer;
    }
  }

  private member() {
    return { groupId: this.options.group, memberId: this.memberId, groupInstanceId: this.instance };
  }

  private async assign(members: readonly { memberId: string; memberMetadata: Buffer }[]) {
    const { cluster } = this.options;
    const subscriptions = members.map(subscriptionOf);
    // Members of a newer release may read topics that this member does not. A missing topic has no partitions.
    const topics = new Set(subscriptions.flatMap((one) => one.topics));
    await Promise.all([...topics].map((topic) => cluster.ensureMetadata([topic]).catch(() => undefined)));
    return assign(subscriptions, (topic) => cluster.partitions(topic));
  }

  // Two processes have the same instance id. This one leaves it to the newer process, or both would keep fencing each other.
  private onFencedInstance(): void {
    const { logger, group } = this.options;
    logger.error({ group, instance: this.instance }, 'another process uses this INSTANCE_ID');
    this.instance = null;
    this.memberId = '';
  }

  private report(error: unknown, failures: number): void {
    this.options.logger[levelOf(failures)](
      { err: error, group: this.options.group, failures },
      'the group could not be reached; reading continues',
    );
  }
}

const codeOf = (error: unknown): number | null => (error instanceof KafkaProtocolError ? error.code : null);

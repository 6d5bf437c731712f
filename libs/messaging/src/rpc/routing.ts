import { crc32 } from 'node:zlib';
import { type RpcPattern, TOPIC_MANIFEST } from '@po/contracts';
import type { Publisher } from '../publishing/publisher.js';
import type { ReplyPartitions } from './reply-partitions.js';
import { StickyPartitioner } from './sticky-partitioner.js';
import { Endpoints } from './endpoints.js';

/** Route of one send: the partition of the request topic, and the reply partition. */
export interface Route {
  partition: number;
  /** Index of the reply partition: 0 or 1. */
  reply: number;
  /** Partition number in the reply topic at the time of the send; the reply partition may have switched since. */
  replyPartition: number;
  sentAt: number;
  /** True if the service replied that it is unavailable. */
  refused: boolean;
}

/** One send of a request. Replies contain its correlation id. */
export interface Routed {
  correlationId: string;
  route: Route;
}

/** Token bucket of resends: tokens added by each request, and its capacity. If everything is slow, more resends would make it slower. */
const RESENDS = { perRequest: 0.1, burst: 50 };

type Reachable = Pick<Publisher, 'canReach'>;

interface Topic {
  partitions: number;
  endpoints: Endpoints;
}

/** Routes requests around endpoints that do not answer, judged by the replies to other requests. */
export class Routing {
  private readonly topics = new Map<string, Topic>(
    TOPIC_MANIFEST.map(({ topic, partitions }) => [topic, { partitions, endpoints: new Endpoints(partitions) }]),
  );
  private readonly partitioner = new StickyPartitioner();
  private resendBudget = RESENDS.burst;
  private answeredAt = -Infinity;

  constructor(private readonly replies: ReplyPartitions) {}

  /**
   * The next route of a request that was already sent by these routes. An endpoint that has answered any request since the last send
   * is kept. Otherwise, sends alternately change both endpoints and one of them, so that some send avoids any single failure.
   */
  pick({ topic }: RpcPattern, key: string | null, sends: readonly Routed[], publisher: Reachable): Route {
    const last = sends.at(-1)?.route;
    if (!last) this.resendBudget = Math.min(RESENDS.burst, this.resendBudget + RESENDS.perRequest);
    const { partitions, endpoints } = this.topic(topic);
    // Commands of one order get the same partition: they wait in its queue instead of for database locks.
    const preferred = key === null ? this.partitioner.pick(topic, partitions) : crc32(key) % partitions;
    const tried = [...new Set(sends.map(({ route }) => route.partition))];
    const isOpen = (endpoint: number) => publisher.canReach(topic, endpoint);
    const keepsPartition =
      last &&
      !last.refused &&
      (sends.length % 2 === 0 || endpoints.hasAnsweredSince(last.partition, last.sentAt)) &&
      isOpen(last.partition);
    const keepsReply =
      last && this.replies.endpoints.hasAnsweredSince(last.reply, last.sentAt) && !this.replies.isCutOff(last);
    const reply = keepsReply ? last.reply : this.replies.pick(last?.reply);
    return {
      partition: keepsPartition ? last.partition : endpoints.pick(preferred, { except: tried, isOpen }),
      reply,
      replyPartition: this.replies.partition(reply),
      sentAt: performance.now(),
      refused: false,
    };
  }

  /** Records the reply to one send. Ejects the endpoints of earlier sends that have answered nothing since. */
  answered({ topic }: RpcPattern, sends: readonly Routed[], answered: string): void {
    const { endpoints } = this.topic(topic);
    this.answeredAt = performance.now();
    for (const { correlationId, route } of sends) {
      const { partition, reply, sentAt } = route;
      if (correlationId === answered) {
        endpoints.answered(partition);
        this.replies.endpoints.answered(reply);
        return;
      }
      if (!endpoints.hasAnsweredSince(partition, sentAt)) endpoints.eject(partition);
      if (!this.replies.endpoints.hasAnsweredSince(reply, sentAt)) this.replies.endpoints.eject(reply);
    }
  }

  /**
   * Records that a service replied that it is unavailable, for example a single replica that cannot reach its database. Returns whether
   * another replica may answer: other requests of the topic were answered since, and the request was sent less often than there are
   * partitions.
   */
  refused(pattern: RpcPattern, sent: Routed, sends: number): boolean {
    sent.route.refused = true;
    this.replies.endpoints.answered(sent.route.reply);
    this.failed(pattern, sent);
    const { partitions, endpoints } = this.topic(pattern.topic);
    return sends < partitions && endpoints.anyAnsweredSince(sent.route.sentAt);
  }

  /**
   * Records a send that was refused or not answered in time. Ejects its partition if only other partitions of the topic have answered
   * since. Resends would show that too, but only a tenth of the requests is resent.
   */
  failed({ topic }: RpcPattern, { route: { partition, sentAt } }: Routed): void {
    const { endpoints } = this.topic(topic);
    const isAlone = endpoints.anyAnsweredSince(sentAt) && !endpoints.hasAnsweredSince(partition, sentAt);
    if (isAlone && endpoints.canSpareOne) endpoints.eject(partition);
  }

  /**
   * Whether a request on this route may be resent on another: if other requests were answered since, or `anyway`. A resend consumes the
   * budget, unless the partition has lost its leader or the reply cannot arrive (`isCutOff`): a third of all requests, and all replies of
   * an instance, may be cut off at the same time.
   */
  mayResend({ sentAt }: Route, { anyway, isCutOff }: { anyway: boolean; isCutOff: boolean }): boolean {
    if (isCutOff) return true;
    if (this.resendBudget < 1 || (!anyway && this.answeredAt < sentAt)) return false;
    this.resendBudget -= 1;
    return true;
  }

  private topic(name: string): Topic {
    const topic = this.topics.get(name);
    if (!topic) throw new Error(`topic ${name} is not in the manifest`);
    return topic;
  }
}

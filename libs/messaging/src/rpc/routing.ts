import { crc32 } from 'node:zlib';
import { type RpcPattern, TOPIC_MANIFEST } from '@po/contracts';
import type { Publisher } from '../publishing/publisher.js';
import type { ReplyPartitions } from './reply-partitions.js';
import { StickyPartitioner } from './sticky-partitioner.js';
import { Endpoints } from './endpoints.js';

/** How one send of a request goes: the partition of its topic, and which of the two reply partitions its answer comes by. */
export interface Route {
  partition: number;
  /** Which of the two: 0 or 1. */
  reply: number;
  /** Its number in the reply topic when the request was sent: it may have moved since. */
  replyPartition: number;
  sentAt: number;
  /** It was answered that the service cannot answer. */
  refused: boolean;
}

/** One send of a request: an answer names it. */
export interface Routed {
  correlationId: string;
  route: Route;
}

/** Of all requests, those that may be sent again, and how many at once: when everything is slow, more would make it slower. */
const AGAIN = { share: 0.1, atOnce: 50 };

type Reachable = Pick<Publisher, 'reaches'>;

interface Topic {
  partitions: number;
  endpoints: Endpoints;
}

/** Leads requests around what does not answer, as far as the answers of others show it. */
export class Routing {
  private readonly topics = new Map<string, Topic>(
    TOPIC_MANIFEST.map(({ topic, partitions }) => [topic, { partitions, endpoints: new Endpoints(partitions) }]),
  );
  private readonly partitioner = new StickyPartitioner();
  private again = AGAIN.atOnce;
  private answeredAt = -Infinity;

  constructor(private readonly replies: ReplyPartitions) {}

  /**
   * The next route of a request that was sent by these routes. Parts that have answered any request since the last send are kept; of the
   * others, sends change both and one in turn, so that some send avoids any single failure.
   */
  choose({ topic }: RpcPattern, key: string | null, sends: readonly Routed[], publisher: Reachable): Route {
    const last = sends.at(-1)?.route;
    if (!last) this.again = Math.min(AGAIN.atOnce, this.again + AGAIN.share);
    const { partitions, endpoints } = this.topic(topic);
    // Commands of one order get the same queue: they wait there instead of for locks in the database.
    const preferred = key === null ? this.partitioner.pick(topic, partitions) : crc32(key) % partitions;
    const tried = [...new Set(sends.map(({ route }) => route.partition))];
    const isOpen = (endpoint: number) => publisher.reaches(topic, endpoint);
    const keepsPartition =
      last &&
      !last.refused &&
      (sends.length % 2 === 0 || endpoints.hasAnsweredSince(last.partition, last.sentAt)) &&
      isOpen(last.partition);
    const keepsReply =
      last && this.replies.endpoints.hasAnsweredSince(last.reply, last.sentAt) && !this.replies.isCutOff(last);
    const reply = keepsReply ? last.reply : this.replies.choose(last?.reply);
    return {
      partition: keepsPartition ? last.partition : endpoints.pick(preferred, { not: tried, isOpen }),
      reply,
      replyPartition: this.replies.partition(reply),
      sentAt: performance.now(),
      refused: false,
    };
  }

  /** One send of a request was answered. Of the sends before it, each endpoint that has answered nothing since is ejected. */
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
   * The service answered that it cannot answer, as a replica does that alone is cut off from its database. Whether others of the topic were
   * answered since.
   */
  refused(pattern: RpcPattern, sent: Routed): boolean {
    sent.route.refused = true;
    this.replies.endpoints.answered(sent.route.reply);
    this.failed(pattern, sent);
    return this.topic(pattern.topic).endpoints.anyAnsweredSince(sent.route.sentAt);
  }

  /**
   * A send was refused, or not answered in time. Its partition is ejected if others of the topic were answered since: resends would show
   * that as well, but only a tenth of the requests has any.
   */
  failed({ topic }: RpcPattern, { route: { partition, sentAt } }: Routed): void {
    const { endpoints } = this.topic(topic);
    const isAlone = endpoints.anyAnsweredSince(sentAt) && !endpoints.hasAnsweredSince(partition, sentAt);
    if (isAlone && endpoints.canSpareOne) endpoints.eject(partition);
  }

  /**
   * Whether a request that has gone this way may go another: when others were answered since, or `anyway`. Counts it, but not what went to a
   * partition that has lost its leader, or whose answer cannot come back: a third of all requests, and all answers of an instance, may be cut
   * off at once.
   */
  maySendAgain({ sentAt }: Route, { anyway, isCutOff }: { anyway: boolean; isCutOff: boolean }): boolean {
    if (isCutOff) return true;
    if (this.again < 1 || (!anyway && this.answeredAt < sentAt)) return false;
    this.again -= 1;
    return true;
  }

  private topic(name: string): Topic {
    const topic = this.topics.get(name);
    if (!topic) throw new Error(`topic ${name} is not in the manifest`);
    return topic;
  }
}

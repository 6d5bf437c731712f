import kafkajs from 'kafkajs';
import { z } from 'zod';
import { type TopicPartition, assignPartitions, nameOf } from './assignor.js';

const { MemberMetadata, MemberAssignment } = kafkajs.AssignerProtocol;

/** The name that KafkaJS's consumers use: members of both kinds may share a group during a rolling update. */
const PROTOCOL = { name: 'RoundRobinAssigner', version: 0 };
const NO_DATA = Buffer.alloc(0);
const Holding = z.object({ generation: z.int(), held: z.record(z.string(), z.array(z.int())) });

/** Partitions that a member owns, and the generation of the group in which it got them. */
interface Holding {
  generation: number;
  held: readonly TopicPartition[];
}

/** A joining member: its topics, and its owned partitions. */
interface Subscription extends Holding {
  memberId: string;
  topics: readonly string[];
}

/** Encodes the subscription of a joining member. */
export function protocolsOf(
  topics: readonly string[],
  { generation, held }: Holding,
): { name: string; metadata: Buffer }[] {
  const userData = Buffer.from(JSON.stringify({ generation, held: partitionsByTopic(held) }));
  const metadata = MemberMetadata.encode({ version: PROTOCOL.version, topics: [...topics], userData });
  return [{ name: PROTOCOL.name, metadata }];
}

/** Decodes the subscription of a member. Subscriptions of older releases and other clients contain no owned partitions. */
export function subscriptionOf({
  memberId,
  memberMetadata,
}: {
  memberId: string;
  memberMetadata: Buffer;
}): Subscription {
  const { topics = [], userData } = MemberMetadata.decode(memberMetadata) ?? {};
  return { memberId, topics, ...holdingIn(userData) };
}

/** Decodes the partitions of these topics that a member was assigned. */
export function partitionsIn(memberAssignment: Buffer, topics: readonly string[]): TopicPartition[] {
  const assignment = MemberAssignment.decode(memberAssignment)?.assignment ?? {};
  return topics.flatMap((topic) => (assignment[topic] ?? []).map((partition) => ({ topic, partition })));
}

/**
 * Assigns each topic's partitions to the members that read it. Members keep their partitions as far as possible. If two members claim a
 * partition, the one of the later generation gets it.
 */
export function assign(members: readonly Subscription[], partitionsOf: (topic: string) => number) {
  const holders = new Map(
    members
      .toSorted((one, other) => one.generation - other.generation)
      .flatMap(({ memberId, held }) => held.map((each) => [nameOf(each), memberId] as const)),
  );
  const readersOf = (topic: string) =>
    members.filter(({ topics }) => topics.includes(topic)).map(({ memberId }) => memberId);
  // Topics with the same readers are assigned together, for an even distribution.
  const together = Map.groupBy(new Set(members.flatMap(({ topics }) => topics)), (topic) => readersOf(topic).join());
  const assigned = new Map(members.map(({ memberId }) => [memberId, [] as TopicPartition[]]));
  for (const topics of together.values()) {
    const partitions = topics.flatMap((topic) =>
      Array.from({ length: partitionsOf(topic) }, (_, partition) => ({ topic, partition })),
    );
    for (const [member, given] of assignPartitions(partitions, readersOf(topics[0] ?? ''), holders))
      assigned.get(member)?.push(...given);
  }
  return Array.from(assigned, ([memberId, given]) => {
    const assignment = partitionsByTopic(given);
    const memberAssignment = MemberAssignment.encode({ version: PROTOCOL.version, assignment, userData: NO_DATA });
    return { memberId, memberAssignment };
  });
}

function partitionsByTopic(partitions: readonly TopicPartition[]): Record<string, number[]> {
  const topics = byTopic(partitions, ({ partition }) => partition);
  return Object.fromEntries(topics.map(({ topic, partitions: ids }) => [topic, ids]));
}

function holdingIn(userData: Buffer | undefined): Holding {
  const decoded = Holding.safeParse(parsed(userData));
  if (!decoded.success) return { generation: -1, held: [] };
  const { generation, held } = decoded.data;
  const partitions = Object.entries(held).flatMap(([topic, ids]) => ids.map((partition) => ({ topic, partition })));
  return { generation, held: partitions };
}

function parsed(json: Buffer | undefined): unknown {
  try {
    return JSON.parse(String(json ?? ''));
  } catch {
    return null;
  }
}

/** Groups partitions by topic, as Kafka requests need them. */
export function byTopic<Given extends TopicPartition, Partition>(
  given: readonly Given[],
  of: (one: Given) => Partition,
): { topic: string; partitions: Partition[] }[] {
  return Array.from(
    Map.groupBy(given, ({ topic }) => topic),
    ([topic, ones]) => ({ topic, partitions: ones.map(of) }),
  );
}

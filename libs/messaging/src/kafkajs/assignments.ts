import kafkajs from 'kafkajs';
import { type TopicPartition, dealOut, nameOf } from './dealing.js';

const { MemberMetadata, MemberAssignment } = kafkajs.AssignerProtocol;

/** As KafkaJS's own consumers call it: members of both kinds may share a group while replicas are replaced. */
const PROTOCOL = { name: 'RoundRobinAssigner', version: 0 };
const NO_DATA = Buffer.alloc(0);

/** What a member says when it joins: what it reads. */
export function protocolsOf(topics: readonly string[]): { name: string; metadata: Buffer }[] {
  const metadata = MemberMetadata.encode({ version: PROTOCOL.version, topics: [...topics], userData: NO_DATA });
  return [{ name: PROTOCOL.name, metadata }];
}

/** What a member was given of these topics. */
export function partitionsIn(memberAssignment: Buffer, topics: readonly string[]): TopicPartition[] {
  const assignment = MemberAssignment.decode(memberAssignment)?.assignment ?? {};
  return topics.flatMap((topic) => (assignment[topic] ?? []).map((partition) => ({ topic, partition })));
}

/** Deals out for a group, and remembers how: as far as it goes, members keep what they have. */
export class Dealer {
  private dealt = new Map<string, string>();

  deal(partitions: readonly TopicPartition[], members: readonly string[]) {
    const dealt = dealOut(partitions, members, this.dealt);
    this.dealt = new Map([...dealt].flatMap(([member, held]) => held.map((each) => [nameOf(each), member])));
    return Array.from(dealt, ([memberId, held]) => {
      const byId = byTopic(held, ({ partition }) => partition);
      const assignment = Object.fromEntries(byId.map(({ topic, partitions: ids }) => [topic, ids]));
      const memberAssignment = MemberAssignment.encode({ version: PROTOCOL.version, assignment, userData: NO_DATA });
      return { memberId, memberAssignment };
    });
  }
}

/** The same by topics, as Kafka's requests have it. */
export function byTopic<Given extends TopicPartition, Partition>(
  given: readonly Given[],
  of: (one: Given) => Partition,
): { topic: string; partitions: Partition[] }[] {
  return Array.from(
    Map.groupBy(given, ({ topic }) => topic),
    ([topic, ones]) => ({ topic, partitions: ones.map(of) }),
  );
}

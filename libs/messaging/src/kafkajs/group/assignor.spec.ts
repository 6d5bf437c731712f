import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import kafkajs from 'kafkajs';
import { assign, partitionsIn, protocolsOf, subscriptionOf } from './assignments.js';
import { type TopicPartition, assignPartitions, nameOf } from './assignor.js';

const { MemberMetadata } = kafkajs.AssignerProtocol;
const TOPIC = 'orders';
const partitionsOf = (count: number): TopicPartition[] =>
  Array.from({ length: count }, (_, partition) => ({ topic: TOPIC, partition }));
const holders = (assigned: ReadonlyMap<string, readonly TopicPartition[]>) =>
  new Map([...assigned].flatMap(([member, held]) => held.map((each) => [nameOf(each), member])));
const members = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/), { minLength: 1, maxLength: 7 });

it('each partition is assigned to one member, with counts that differ by at most one', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.array(members, { minLength: 1, maxLength: 5 }), (count, rounds) => {
      let former = new Map<string, string>();
      for (const present of rounds) {
        const assigned = assignPartitions(partitionsOf(count), present, former);
        const sizes = [...assigned.values()].map(({ length }) => length);
        expect([...assigned.keys()].toSorted()).toEqual(present.toSorted());
        expect([...assigned.values()].flat().map(nameOf).toSorted()).toEqual(
          partitionsOf(count).map(nameOf).toSorted(),
        );
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        former = holders(assigned);
      }
    }),
  );
});

it('members keep their partitions when one is replaced, and give up as few as possible when one is added', () => {
  const before = assignPartitions(partitionsOf(12), ['a', 'b', 'c']);
  const kept = (after: ReturnType<typeof assignPartitions>, member: string) => {
    const now = new Set(after.get(member)?.map(nameOf));
    return before.get(member)?.filter((each) => now.has(nameOf(each))).length;
  };
  const replaced = assignPartitions(partitionsOf(12), ['a', 'b', 'd'], holders(before));
  expect([kept(replaced, 'a'), kept(replaced, 'b')]).toEqual([4, 4]);
  const added = assignPartitions(partitionsOf(12), ['a', 'b', 'c', 'd'], holders(before));
  expect([kept(added, 'a'), kept(added, 'b'), kept(added, 'c')]).toEqual([3, 3, 3]);
});

/** The subscription of a joining member as the leader decodes it. */
const joining = (memberId: string, topics: readonly string[], held: readonly TopicPartition[] = [], generation = 1) =>
  subscriptionOf({
    memberId,
    memberMetadata: protocolsOf(topics, { generation, held })[0]?.metadata ?? Buffer.alloc(0),
  });
const decoded = (assigned: ReturnType<typeof assign>, topics: readonly string[]) =>
  assigned.map(({ memberId, memberAssignment }) => [memberId, partitionsIn(memberAssignment, topics).map(nameOf)]);

it('a member decodes its own assignment, even an empty one', () => {
  const assigned = assign([joining('a', [TOPIC]), joining('b', [TOPIC])], () => 1);
  expect(decoded(assigned, [TOPIC])).toEqual([
    ['a', ['orders/0']],
    ['b', []],
  ]);
});

it('a leader without the previous generation keeps the partitions that members own', () => {
  const [mine, theirs] = [partitionsOf(6).slice(0, 3), partitionsOf(6).slice(3)];
  for (const leader of ['a', 'z']) {
    const assigned = assign([joining(leader, [TOPIC], theirs), joining('b', [TOPIC], mine)], () => 6);
    expect(new Map(decoded(assigned, [TOPIC]) as [string, string[]][])).toEqual(
      new Map([
        [leader, theirs.map(nameOf)],
        ['b', mine.map(nameOf)],
      ]),
    );
  }
});

it('a partition with two owners stays with the owner of the later generation', () => {
  const all = partitionsOf(2);
  const assigned = assign(
    [joining('a', [TOPIC], all, 7), joining('b', [TOPIC], [all[0] as TopicPartition], 6)],
    () => 2,
  );
  const [first, second] = decoded(assigned, [TOPIC]).map(([, held]) => held);
  expect([first, second].flat().toSorted()).toEqual(all.map(nameOf));
  expect(assign([joining('a', [TOPIC], all, 7), joining('c', [TOPIC], all, 6)], () => 1)).toEqual(
    assign([joining('a', [TOPIC], all, 7), joining('c', [TOPIC])], () => 1),
  );
});

it('a topic that only newer members read is assigned only to them', () => {
  const both = [TOPIC, 'new'];
  const assigned = assign([joining('old', [TOPIC]), joining('new1', both), joining('new2', both)], () => 4);
  const held = new Map(decoded(assigned, both) as [string, string[]][]);
  expect(held.get('old')?.every((name) => name.startsWith(TOPIC))).toBe(true);
  expect([...held.values()].flat().toSorted()).toEqual(
    both.flatMap((topic) => [0, 1, 2, 3].map((partition) => nameOf({ topic, partition }))).toSorted(),
  );
});

it('owned partitions of older releases and other clients are ignored', () => {
  const metadata = (userData: Buffer) => MemberMetadata.encode({ version: 0, topics: [TOPIC], userData });
  for (const userData of ['', '{', '{"generation":"1"}', '{"generation":1,"held":{"orders":["0"]}}']) {
    const subscription = subscriptionOf({ memberId: 'a', memberMetadata: metadata(Buffer.from(userData)) });
    expect(subscription).toEqual({ memberId: 'a', topics: [TOPIC], generation: -1, held: [] });
  }
});

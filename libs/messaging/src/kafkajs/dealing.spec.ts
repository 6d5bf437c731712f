import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Dealer, partitionsIn } from './assignments.js';
import { type TopicPartition, dealOut, nameOf } from './dealing.js';

const TOPIC = 'orders';
const partitionsOf = (count: number): TopicPartition[] =>
  Array.from({ length: count }, (_, partition) => ({ topic: TOPIC, partition }));
const holders = (dealt: ReadonlyMap<string, readonly TopicPartition[]>) =>
  new Map([...dealt].flatMap(([member, held]) => held.map((each) => [nameOf(each), member])));
const members = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/), { minLength: 1, maxLength: 7 });

it('each partition goes to one member, and no two have numbers that differ by more than one, whoever comes and goes', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.array(members, { minLength: 1, maxLength: 5 }), (count, rounds) => {
      let former = new Map<string, string>();
      for (const present of rounds) {
        const dealt = dealOut(partitionsOf(count), present, former);
        const sizes = [...dealt.values()].map(({ length }) => length);
        expect([...dealt.keys()].toSorted()).toEqual(present.toSorted());
        expect([...dealt.values()].flat().map(nameOf).toSorted()).toEqual(partitionsOf(count).map(nameOf).toSorted());
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        former = holders(dealt);
      }
    }),
  );
});

it('members keep what they have when one is replaced, and give no more than they must when one is added', () => {
  const before = dealOut(partitionsOf(12), ['a', 'b', 'c']);
  const kept = (after: ReturnType<typeof dealOut>, member: string) => {
    const now = new Set(after.get(member)?.map(nameOf));
    return before.get(member)?.filter((each) => now.has(nameOf(each))).length;
  };
  const replaced = dealOut(partitionsOf(12), ['a', 'b', 'd'], holders(before));
  expect([kept(replaced, 'a'), kept(replaced, 'b')]).toEqual([4, 4]);
  const added = dealOut(partitionsOf(12), ['a', 'b', 'c', 'd'], holders(before));
  expect([kept(added, 'a'), kept(added, 'b'), kept(added, 'c')]).toEqual([3, 3, 3]);
});

it('what a member is told is what it reads of it, and a member without any is told so', () => {
  const [one, other] = new Dealer().deal(partitionsOf(1), ['a', 'b']);
  expect([one, other].map((told) => partitionsIn(told?.memberAssignment ?? Buffer.alloc(0), [TOPIC]))).toEqual([
    partitionsOf(1),
    [],
  ]);
});

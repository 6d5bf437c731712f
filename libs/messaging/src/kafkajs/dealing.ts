/** A partition of a topic that a group reads. */
export interface TopicPartition {
  topic: string;
  partition: number;
}

export const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

/**
 * Deals partitions out to members, each to one, so that no two members' numbers differ by more than one. A partition stays with the
 * member that had it as far as that allows: what moves is begun anew by another.
 */
export function dealOut(
  partitions: readonly TopicPartition[],
  members: readonly string[],
  former: ReadonlyMap<string, string> = new Map(),
): Map<string, TopicPartition[]> {
  const dealt = new Map(members.toSorted().map((member) => [member, [] as TopicPartition[]]));
  const most = Math.ceil(partitions.length / Math.max(1, members.length));
  // So many may have one more than the others; when it divides evenly, all of them.
  let full = partitions.length - (most - 1) * members.length;
  const moving: TopicPartition[] = [];
  for (const partition of partitions) {
    const held = dealt.get(former.get(nameOf(partition)) ?? '');
    const fits = held && (held.length < most - 1 || (held.length === most - 1 && full > 0));
    if (!fits) {
      moving.push(partition);
      continue;
    }
    held.push(partition);
    if (held.length === most) full -= 1;
  }
  for (const partition of moving) {
    const fewest = [...dealt.values()].toSorted((one, other) => one.length - other.length)[0];
    fewest?.push(partition);
  }
  return dealt;
}

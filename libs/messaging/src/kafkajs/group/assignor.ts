/** A partition of a topic that a group reads. */
export interface TopicPartition {
  topic: string;
  partition: number;
}

export const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

/**
 * Balanced sticky assignment: each partition gets one member, and no two members differ by more than one partition. A partition stays
 * with its former member as far as the balance allows; a moved one restarts at its committed offset.
 */
export function assignPartitions(
  partitions: readonly TopicPartition[],
  members: readonly string[],
  former: ReadonlyMap<string, string> = new Map(),
): Map<string, TopicPartition[]> {
  const assigned = new Map(members.toSorted().map((member) => [member, [] as TopicPartition[]]));
  const most = Math.ceil(partitions.length / Math.max(1, members.length));
  // The number of members that may hold `most` partitions: all of them if the division has no remainder.
  let full = partitions.length - (most - 1) * members.length;
  const moving: TopicPartition[] = [];
  for (const partition of partitions) {
    const held = assigned.get(former.get(nameOf(partition)) ?? '');
    const fits = held && (held.length < most - 1 || (held.length === most - 1 && full > 0));
    if (!fits) {
      moving.push(partition);
      continue;
    }
    held.push(partition);
    if (held.length === most) full -= 1;
  }
  for (const partition of moving) {
    const fewest = [...assigned.values()].toSorted((one, other) => one.length - other.length)[0];
    fewest?.push(partition);
  }
  return assigned;
}

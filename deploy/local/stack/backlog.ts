import { GROUPS, type Group, TOPICS } from '@po/contracts';
import type { AdminPort } from '@po/messaging';

/** Topics of each consumer group. */
export const SUBSCRIBED_TOPICS: Record<Group, readonly string[]> = {
  [GROUPS.inventory]: [TOPICS.inventory],
  [GROUPS.commands]: [TOPICS.commands],
  [GROUPS.queries]: [TOPICS.queries],
  [GROUPS.directory]: [TOPICS.users],
  [GROUPS.notificationsRpc]: [TOPICS.notificationsRpc],
  [GROUPS.notificationsEvents]: [TOPICS.transitions, TOPICS.messages, TOPICS.reminders, TOPICS.users],
  [GROUPS.dashboardRpc]: [TOPICS.dashboardRpc],
  [GROUPS.dashboardEvents]: [TOPICS.state],
  [GROUPS.mailRpc]: [TOPICS.mailRpc],
  [GROUPS.mailEvents]: [TOPICS.notifications, TOPICS.users],
};

/** Resolves if none of these consumer groups has lag on its topics. Rejects with the first group that has. */
export async function requireNoLag(
  admin: AdminPort,
  groupSuffix = '',
  groups: readonly Group[] = Object.values(GROUPS),
): Promise<void> {
  for (const group of groups) {
    for (const topic of SUBSCRIBED_TOPICS[group]) {
      const committed = new Map(
        (await admin.committed(group + groupSuffix, topic))
          // The offset is -1 if the group has not committed the partition yet.
          .filter(({ offset }) => BigInt(offset) >= 0n)
          .map(({ partition, offset }) => [partition, BigInt(offset)]),
      );
      for (const { partition, low, high } of await admin.offsets(topic)) {
        const lag = BigInt(high) - (committed.get(partition) ?? BigInt(low));
        if (lag > 0n) throw new Error(`${group + groupSuffix} is ${lag} records behind on ${topic}/${partition}`);
      }
    }
  }
}

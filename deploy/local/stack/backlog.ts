import { GROUPS, type Group, TOPICS } from '@po/contracts';
import type { AdminPort } from '@po/messaging';

/** What each group takes. */
export const TAKEN: Record<Group, readonly string[]> = {
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

/** Resolves when none of these consumer groups has records left on a topic it takes. Rejects, naming the first that has. */
export async function requireNoLag(
  admin: AdminPort,
  groupSuffix = '',
  groups: readonly Group[] = Object.values(GROUPS),
): Promise<void> {
  for (const group of groups) {
    for (const topic of TAKEN[group]) {
      const committed = new Map(
        (await admin.committed(group + groupSuffix, topic))
          // A group that has taken nothing of a partition yet stands at -1.
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

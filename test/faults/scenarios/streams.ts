import { eventually } from '@po/testing/eventually';
import { databaseOf } from '../database.js';
import { rowsOf } from '../../support/rows.js';
import { Follower } from '../follower.js';
import type { Violation } from '../oracle/evidence.js';
import type { Random } from '../random.js';
import type { Scenario } from '../scenario.js';
import { USERS, USER_NAMES, type UserName } from '../users.js';
import type { Load } from '../workload.js';
import type { World } from '../world.js';
import { kill } from './kills.js';
import { withStoreDown } from './outages.js';
import { stopGracefully } from './replicas.js';

const NOTIFY_TIMEOUT_MS = 30_000;

type StreamFault = (world: World, random: Random, load: Load) => Promise<unknown>;

/** Faults of everything that a live stream depends on. */
const STREAM_FAULTS: readonly StreamFault[] = [
  (world, random, load) => kill(world, random, load, 'gateway', random.int(0, 1)),
  async (world, random) => {
    for (const gateway of random.shuffled([0, 1])) await stopGracefully(world, 'gateway', gateway);
  },
  (world, random, load) => Promise.all([0, 1].map((replica) => kill(world, random, load, 'notifications', replica))),
  (world, random, load) => kill(world, random, load, 'dashboard', random.int(0, 1)),
  (world) => withStoreDown(world, 'Redis', 5_000),
];

/** Ids of all notifications, oldest first, of each user who can get notifications. */
async function inboxes(world: World): Promise<Map<UserName, string[]>> {
  const rows = await rowsOf<{ user_id: string; id: string }>(
    databaseOf(world, 'notifications'),
    'SELECT user_id, id FROM notifications ORDER BY user_id, seq',
  );
  const ids = Map.groupBy(rows, ({ user_id }) => user_id);
  const notified = USER_NAMES.filter((name) => USERS[name].role !== 'ADMIN');
  return new Map(notified.map((name) => [name, (ids.get(USERS[name].sub) ?? []).map(({ id }) => id)]));
}

/** Missing, duplicate and misordered notifications of a follower. */
function violationsIn({ user, seen, resets }: Follower, had: number, inbox: readonly string[]): Violation[] {
  const expected = inbox.slice(had, had + seen.length);
  const wrong = seen.findIndex((id, index) => id !== expected[index]);
  const resetTimes = resets > 0 ? [`the stream of ${user} was reset ${resets} times`] : [];
  if (wrong < 0) return resetTimes;
  return [
    ...resetTimes,
    `the stream of ${user} sent notification ${seen[wrong]} at position ${wrong + 1}; expected ${expected[wrong]}`,
  ];
}

/** Does the work while every user has a live stream, which must be opened at least `leastOpened` times. Returns the violations. */
export async function whileFollowed(
  world: World,
  leastOpened: number,
  work: () => Promise<unknown>,
): Promise<Violation[]> {
  const before = await eventually(
    'every user has a notification',
    async () => {
      const all = await inboxes(world);
      return [...all.values()].every((ids) => ids.length > 0) && all;
    },
    { timeoutMs: NOTIFY_TIMEOUT_MS },
  );
  const followers = [...before].map(([user, ids]) => new Follower(world, user, ids.at(-1) ?? ''));
  try {
    await work();
    const settled = await inboxes(world);
    const came = (user: UserName) => (settled.get(user)?.length ?? 0) - (before.get(user)?.length ?? 0);
    await eventually(
      'the streams have sent every notification',
      () => {
        const late = followers.filter(({ user, seen }) => seen.length < came(user));
        if (late.length > 0)
          throw new Error(late.map(({ user, seen }) => `${user}: ${seen.length} of ${came(user)}`).join());
        return true;
      },
      { timeoutMs: NOTIFY_TIMEOUT_MS },
    );
  } finally {
    await Promise.all(followers.map((follower) => follower.stop()));
  }
  const after = await inboxes(world);
  return followers.flatMap((follower) => [
    ...violationsIn(follower, before.get(follower.user)?.length ?? 0, after.get(follower.user) ?? []),
    ...(follower.opened < leastOpened ? [`the stream of ${follower.user} was opened ${follower.opened} times`] : []),
  ]);
}

const followed = (world: World, random: Random, load: Load): Promise<Violation[]> =>
  whileFollowed(world, 2, async () => {
    for (const fault of random.shuffled(STREAM_FAULTS)) {
      await fault(world, random, load);
      await load.more(random.int(5, 20));
    }
  });

export const STREAMS: Scenario[] = [
  { name: 'live streams while their dependencies are killed in turn', fault: followed },
];

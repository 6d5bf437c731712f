import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TOPICS } from '@po/contracts';
import type { Process } from '../../../deploy/local/process.js';
import type { ServiceName } from '../../../deploy/local/stack-file.js';
import { eventually } from '../../support/eventually.js';
import type { Random } from '../random.js';
import type { Scenario } from '../scenario.js';
import { controlFolder } from '../stack.js';
import type { Load } from '../workload.js';
import type { World } from '../world.js';
import { replaced } from './kills.js';

/** Between a step that is stored for good and the one that would tell of it; see `crash-points.ts`. */
interface CrashPoint {
  name: string;
  service: ServiceName;
  point: string;
  short?: boolean;
}

const POINTS: readonly CrashPoint[] = [
  { name: 'after the commit, before anything is published', service: 'purchaseOrders', point: 'commit', short: true },
  {
    name: 'after publishing, before the outbox row is deleted',
    service: 'purchaseOrders',
    point: `publish:${TOPICS.state}`,
    short: true,
  },
  {
    name: 'after publishing notifications, before the outbox row is deleted',
    service: 'notifications',
    point: `publish:${TOPICS.notifications}`,
  },
  {
    name: 'after the effect of commands, before their offsets are committed',
    service: 'purchaseOrders',
    point: `offsets:${TOPICS.commands}`,
  },
  {
    name: 'after the effect of source messages, before their offsets are committed',
    service: 'purchaseOrders',
    point: `offsets:${TOPICS.inventory}`,
  },
  {
    name: 'after the fan-out, before its offsets are committed',
    service: 'notifications',
    point: `offsets:${TOPICS.transitions}`,
    short: true,
  },
  {
    name: 'after counting, before the offsets are committed',
    service: 'dashboard',
    point: `offsets:${TOPICS.state}`,
  },
];

const ARMED_MS = 5_000;
const CRASHED_MS = 40_000;

/** Both replicas crash, one after the other, each at a later occurrence of its point. */
async function crash(world: World, random: Random, load: Load, { service, point }: CrashPoint): Promise<void> {
  for (const replica of random.shuffled([0, 1])) {
    const victim = world.replicas(service)[replica] as Process;
    const { pid } = victim;
    const file = join(controlFolder(world), `${pid}.crash`);
    world.ended.add(victim);
    await writeFile(file, `${point} ${random.int(1, 4)}`);
    process.kill(pid, 'SIGUSR2');
    await eventually(`the crash of ${service} ${replica} is armed`, () => !existsSync(file), { timeoutMs: ARMED_MS });
    await eventually(`${service} ${replica} crashes at ${point}`, () => victim.pid !== pid, { timeoutMs: CRASHED_MS });
    await replaced(world, service, replica, pid);
    await load.more(random.int(1, 20));
  }
}

export const CRASHES: Scenario[] = POINTS.map((at) => ({
  name: `crash ${at.name}`,
  short: at.short ?? false,
  limit: 1_500,
  fault: (world, random, load) => crash(world, random, load, at),
}));

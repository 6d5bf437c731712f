import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TOPICS } from '@po/contracts';
import type { ServiceName } from '../../../deploy/local/stack/stack-file.js';
import { eventually } from '@po/testing/eventually';
import type { Random } from '../random.js';
import type { Scenario } from '../scenario.js';
import { controlFolder } from '../stack.js';
import type { World } from '../world.js';
import { waitForReplacement } from './kills.js';

/** A crash between a durable step and the step that announces it, or right after the step that must come last; see `crash-points.ts`. */
interface CrashPoint {
  name: string;
  service: ServiceName;
  point: string;
  short?: boolean;
}

const POINTS: readonly CrashPoint[] = [
  { name: 'after the commit, before anything is published', service: 'purchaseOrders', point: 'commit' },
  {
    name: 'when rows of the outbox are about to be sent',
    service: 'purchaseOrders',
    point: `send:${TOPICS.state}`,
    short: true,
  },
  {
    name: 'after publishing, before the outbox row is deleted',
    service: 'purchaseOrders',
    point: `publish:${TOPICS.state}`,
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
    name: 'as soon as the offsets of source messages are committed',
    service: 'purchaseOrders',
    point: `committed:${TOPICS.inventory}`,
  },
  {
    name: 'after the fan-out, before its offsets are committed',
    service: 'notifications',
    point: `offsets:${TOPICS.transitions}`,
  },
  {
    name: 'after counting, before the offsets are committed',
    service: 'dashboard',
    point: `offsets:${TOPICS.state}`,
  },
];

const ARMED_MS = 30_000;
const CRASHED_MS = 40_000;

/** Arms both replicas, because only the one with the outbox leases publishes. Only the first to reach the point crashes. */
export async function crash(world: World, random: Random, { service, point }: CrashPoint): Promise<void> {
  const victims = world.replicas(service).map((process, replica) => ({ process, replica, pid: process.pid }));
  const occurrence = random.int(1, 4);
  for (const { process, pid } of victims) {
    world.ended.add(process);
    await arm(world, pid, `${point} ${occurrence}`);
  }
  const hasCrashed = ({ process, pid }: (typeof victims)[number]) => process.pid !== pid;
  await eventually(`a replica of ${service} crashes at ${point}`, () => victims.some(hasCrashed), {
    timeoutMs: CRASHED_MS,
  });
  // The other replica may have reached the point too, and be gone.
  for (const { pid } of victims.filter((victim) => !hasCrashed(victim)))
    await arm(world, pid, 'nowhere 1').catch(() => undefined);
  for (const { replica, pid } of victims.filter(hasCrashed)) await waitForReplacement(world, service, replica, pid);
}

async function arm(world: World, pid: number, at: string): Promise<void> {
  const file = join(controlFolder(world), `${pid}.crash`);
  await writeFile(file, at);
  process.kill(pid, 'SIGUSR2');
  await eventually(`process ${pid} is armed`, () => !existsSync(file), { timeoutMs: ARMED_MS });
}

export const CRASHES: Scenario[] = POINTS.map((at) => ({
  name: `crash ${at.name}`,
  short: at.short ?? false,
  fault: (world, random) => crash(world, random, at),
}));

import { afterEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { assign } from './assignments.js';
import type { Cluster } from '../cluster/cluster.js';
import { Membership } from './membership.js';
import { API, CODE } from '../cluster/protocol.js';

const TOPIC = 'orders';
const HELD = [
  { topic: TOPIC, partition: 0 },
  { topic: TOPIC, partition: 1 },
];
const SESSION = { timeoutMs: 400, heartbeatMs: 20 };

/** A coordinator with one member. `heartbeat`: error code of its answer; null for no answer. */
class FakeCoordinator {
  heartbeat: number | null = CODE.none;
  joins = 0;
  /** False if SyncGroup gets no answer. */
  syncs = true;
  private readonly answerTo = (api: object) => {
    if (api === API.heartbeat) {
      const code = this.heartbeat;
      return code === null ? Promise.reject(new Error('no answer')) : Promise.resolve({ errorCode: code });
    }
    if (api === API.joinGroup) {
      this.joins += 1;
      this.heartbeat = CODE.none;
      const answer = {
        errorCode: CODE.none,
        generationId: this.joins,
        leaderId: 'leader',
        memberId: 'me',
        members: [],
      };
      return Promise.resolve(answer);
    }
    if (!this.syncs) return Promise.reject(new Error('no answer'));
    const me = { memberId: 'me', topics: [TOPIC], generation: -1, held: [] };
    const [given] = assign([me], () => HELD.length);
    return Promise.resolve({ errorCode: CODE.none, memberAssignment: given?.memberAssignment });
  };
  private readonly node = { send: this.answerTo, separate: () => this.node, close: () => undefined };

  get cluster(): Cluster {
    return {
      ensureMetadata: () => Promise.resolve(),
      partitions: () => HELD.length,
      authorizationFailures: { note: () => undefined },
      coordinatorOf: () => Promise.resolve(1),
      node: () => this.node,
    } as unknown as Cluster;
  }
}

describe('a member of a group', () => {
  const members: Membership[] = [];
  afterEach(() => Promise.all(members.splice(0).map((member) => member.leave())));

  const join = async (session = SESSION) => {
    const coordinator = new FakeCoordinator();
    const log: string[] = [];
    const member = new Membership({
      cluster: coordinator.cluster,
      group: 'g',
      topics: [TOPIC],
      instance: null,
      session,
      logger: pino({ level: 'silent' }),
      onRebalancing: () => log.push('rebalancing'),
      onAssigned: (assignment) => log.push(`assigned ${assignment.map(({ partition }) => partition).join()}`),
      onPartitionsLost: () => log.push('lost'),
    });
    members.push(member);
    await member.start();
    return { coordinator, log };
  };

  it('owns no partitions after a session without heartbeats, and all of them again if its generation is still current', async () => {
    const { coordinator, log } = await join();
    expect(log).toEqual(['assigned 0,1']);
    coordinator.heartbeat = null;
    await eventually('ownership ends', () => log.includes('lost'));
    coordinator.heartbeat = CODE.none;
    await eventually('it has its partitions again', () => log.length === 3);
    expect(log).toEqual(['assigned 0,1', 'lost', 'assigned 0,1']);
    expect(coordinator.joins).toBe(1);
  });

  it.each([
    ['was removed', CODE.unknownMemberId],
    ['is of an older generation', CODE.illegalGeneration],
    ['has a name that another process took', CODE.fencedInstanceId],
  ])('owns no partitions once it learns that it %s', async (_why, code) => {
    const { coordinator, log } = await join();
    coordinator.heartbeat = code;
    await eventually('it has joined again', () => coordinator.joins === 2 && log.length === 3);
    expect(log).toEqual(['assigned 0,1', 'lost', 'assigned 0,1']);
  });

  it('owns no partitions while it gets no assignment of the generation that it joined', async () => {
    // Long enough for the session not to expire.
    const { coordinator, log } = await join({ ...SESSION, timeoutMs: 60_000 });
    coordinator.syncs = false;
    coordinator.heartbeat = CODE.rebalanceInProgress;
    await eventually('ownership ends', () => log.includes('lost'));
    coordinator.syncs = true;
    await eventually('it has an assignment', () => log.length === 4);
    expect(log).toEqual(['assigned 0,1', 'rebalancing', 'lost', 'assigned 0,1']);
  });

  it('continues with its partitions while others join', async () => {
    const { coordinator, log } = await join();
    coordinator.heartbeat = CODE.rebalanceInProgress;
    await eventually('it has joined again', () => coordinator.joins === 2 && log.length === 3);
    expect(log).toEqual(['assigned 0,1', 'rebalancing', 'assigned 0,1']);
  });
});

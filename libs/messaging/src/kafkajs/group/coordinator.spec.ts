import { expect, it } from '@jest/globals';
import type { Cluster } from '../cluster/cluster.js';
import { CODE, KafkaProtocolError } from '../cluster/protocol.js';
import { Coordinator } from './coordinator.js';

it('a member looks up the coordinator again after a refused lookup', async () => {
  const node = { separate: () => node, close: () => undefined };
  const lookups = [
    () => Promise.reject(new KafkaProtocolError(CODE.groupAuthorizationFailed, 'find the coordinator')),
    () => Promise.resolve(1),
  ];
  const cluster = { coordinatorOf: () => lookups.shift()?.(), node: () => node } as unknown as Cluster;
  const coordinator = new Coordinator(cluster, 'g');
  const ask = () => coordinator.ask(() => Promise.resolve('answer'));
  await expect(ask()).rejects.toThrow('find the coordinator');
  await expect(ask()).resolves.toBe('answer');
});

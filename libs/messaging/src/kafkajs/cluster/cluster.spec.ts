import { expect, it } from '@jest/globals';
import type { AuthorizationFailures } from './authorization-failures.js';
import { Cluster } from './cluster.js';

it('the cluster throws different errors for a partition without a leader and for an unknown broker', () => {
  const cluster = new Cluster({
    brokers: [],
    connect: () => {
      throw new Error('nothing is connected');
    },
    authorizationFailures: {} as AuthorizationFailures,
  });
  expect(() => cluster.node(cluster.leaderOf('things.v1', 0))).toThrow('the partition has no leader');
  expect(() => cluster.node(3)).toThrow('broker 3 is not known');
});

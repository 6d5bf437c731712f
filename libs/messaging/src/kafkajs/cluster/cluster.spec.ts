import { expect, it } from '@jest/globals';
import type { AuthorizationFailures } from './authorization-failures.js';
import { Cluster } from './cluster.js';

it('says of a partition without a leader that it has none, and of no broker with a number that none has', () => {
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

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Authority, makeAuthority } from '@po/testing/certificates';
import { eventually } from '@po/testing/eventually';
import { type RedisNode, startRedisServers } from './redis-servers.js';
import { type RedisService, RedisFeatures } from './redis-features.js';
import { type Secured, secureRedis } from './users.js';

const HOST = '127.0.0.1';
/** Number of hash slots of a cluster. */
const SLOTS = 16_384;

let authority: Authority;
let servers: Awaited<ReturnType<typeof startRedisServers>>;
let how: Secured;
let features: RedisFeatures;

const begin = async (...names: string[]) => {
  servers = await startRedisServers(names);
  how = await secureRedis(servers, authority);
};
const use = async (urlOf: (service: RedisService) => string) => {
  features = new RedisFeatures({
    gateway: urlOf('gateway'),
    notifications: urlOf('notifications'),
    dashboard: urlOf('dashboard'),
  });
  await features.start();
  await features.checkAll();
};
beforeEach(async () => {
  authority = await makeAuthority('the company');
});
afterEach(async () => {
  await features.stop();
  await servers.stop();
});
const roleOf = async ({ admin }: RedisNode) => /role:(\w+)/.exec(await admin.info('replication'))?.[1];

describe('a Redis with a sentinel', () => {
  it('is followed by the services through a failover and back', async () => {
    await begin('one', 'two', 'sentinel');
    const { client, lines } = how;
    const one = await servers.start('one', lines, { client });
    const two = await servers.start('two', [...lines, `replicaof ${HOST} ${one.port}`], { client });
    await eventually('the replica is in sync', async () =>
      (await two.admin.info('replication')).includes('master_link_status:up'),
    );
    const watch = [
      `tls-cert-file ${how.files.cert}`,
      `tls-key-file ${how.files.key}`,
      `tls-ca-cert-file ${how.files.ca}`,
      'tls-auth-clients no',
      'tls-replication yes',
      'requirepass sentinels-own',
      `sentinel monitor main ${HOST} ${one.port} 1`,
      `sentinel auth-user main ${client.username}`,
      `sentinel auth-pass main ${client.password}`,
      'sentinel down-after-milliseconds main 500',
      'sentinel failover-timeout main 2000',
    ];
    const sentinel = await servers.start('sentinel', watch, {
      client: { password: 'sentinels-own', tls: client.tls },
      sentinel: true,
    });
    await eventually('the sentinel knows both', async () =>
      JSON.stringify(await sentinel.admin.call('SENTINEL', 'REPLICAS', 'main')).includes(String(two.port)),
    );
    await use(
      (service) =>
        `rediss+sentinel://${how.login(service)}@${HOST}:1,${HOST}:${sentinel.port}/main?sentinelPassword=sentinels-own&ca=${how.files.ca}`,
    );

    await one.process.suspend('SIGKILL');
    await features.checkAll();
    expect(await roleOf(two)).toBe('master');

    one.process.resume();
    await eventually('the first server is a replica', async () => (await roleOf(one)) === 'slave');
    await eventually('the first server is in sync', async () =>
      (await one.admin.info('replication')).includes('master_link_status:up'),
    );
    await eventually(
      'the sentinel accepts a failover',
      async () => (await sentinel.admin.call('SENTINEL', 'FAILOVER', 'main')) === 'OK',
    );
    await eventually('the first server is the primary', async () => (await roleOf(one)) === 'master');
    await features.checkAll();
    expect(features.lines.join('')).not.toMatch(/replace-this|sentinels-own/);
  });
});

describe('a Redis cluster of three primaries', () => {
  it('holds the data of all services and keeps working after a primary dies', async () => {
    const names = ['one', 'two', 'three', 'replica'];
    await begin(...names);
    const { client, lines } = how;
    const nodes: RedisNode[] = [];
    for (const name of names) {
      const own = [
        'cluster-enabled yes',
        `cluster-config-file ${name}.nodes`,
        'cluster-node-timeout 1000',
        'tls-cluster yes',
      ];
      nodes.push(await servers.start(name, [...lines, ...own], { client }));
    }
    const [one, two, three, replica] = nodes as [RedisNode, RedisNode, RedisNode, RedisNode];
    const share = Math.ceil(SLOTS / 3);
    for (const [index, { admin }] of [one, two, three].entries()) {
      const first = index * share;
      const slots = Array.from({ length: Math.min(share, SLOTS - first) }, (_, slot) => first + slot);
      await admin.cluster('ADDSLOTS', ...slots);
      await admin.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
    }
    for (const { port } of nodes) await one.admin.cluster('MEET', HOST, port);
    const whole = async () => {
      const infos = await Promise.all(nodes.map(({ admin }) => admin.cluster('INFO')));
      return infos.every((info) => /cluster_state:ok/.test(info) && /cluster_known_nodes:4/.test(info));
    };
    await eventually('the nodes know each other', whole);
    const slot = await one.admin.cluster('KEYSLOT', '{po-dashboard}');
    const owner = [one, two, three][Math.floor(slot / share)] as RedisNode;
    await replica.admin.cluster('REPLICATE', await owner.admin.cluster('MYID'));
    await eventually('the replica is in sync', async () =>
      (await replica.admin.info('replication')).includes('master_link_status:up'),
    );
    await use(
      (service) =>
        `rediss+cluster://${how.login(service)}@${HOST}:${one.port},localhost:${three.port}?ca=${how.files.ca}`,
    );
    await features.rebuild();
    await features.count(50);
    const sizes = await Promise.all([one, two, three].map(({ admin }) => admin.dbsize()));
    expect(sizes.every((size) => size > 0)).toBe(true);

    await owner.process.suspend('SIGKILL');
    await eventually('the replica becomes the primary', async () => (await roleOf(replica)) === 'master');
    await features.checkAll();
    await features.rebuild();
    expect(features.lines.join('')).not.toMatch(/replace-this/);
  });
});

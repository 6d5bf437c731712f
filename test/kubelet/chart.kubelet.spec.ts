import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@po/testing/eventually';
import { apiClient as withoutRepeats } from '../../deploy/local/api-client.js';
import { sendToInventory, upsertMessage } from '../../deploy/local/inventory-feed.js';
import { SERVICE_NAMES } from '../../deploy/local/stack/stack-file.js';
import { tryTool } from '../../deploy/tools/fixtures/ops-tools.js';
import { Compose, JOBS, ORDER } from '../images/compose.js';
import { Docker } from '../images/engine.js';
import { INSPECTION, LOCKED_DOWN } from '../images/locked-down.js';
import { buildStandIns } from '../images/stand-ins.js';
import { ApiServer } from '../ops/api-server.js';
import { CHART, type Resource } from '../ops/chart.js';
import { apiClient } from '../support/api-client.js';
import { Load } from './load.js';
import { Node } from './node.js';
import { SECRETS } from './secrets.js';

const START_MS = 20 * 60_000;
const ROLLOUT_MS = 10 * 60_000;
const CHANGE_MS = 3 * 60_000;
const POLL_MS = 500;
const NAMESPACE = '/api/v1/namespaces/purchase-orders';
const OURS = Object.values(SERVICE_NAMES);
const STORES = ['kafka', 'postgres', 'redis', 'identity-provider'];

let docker: Docker;
let server: ApiServer;
let node: Node;
let compose: Compose;

const stores = (...args: string[]) =>
  compose.run(['--file', 'docker-compose.yml', '--file', 'test/kubelet/stores.yaml', ...args]);
const install = () =>
  tryTool('helm', [
    ...['install', 'po', CHART, '--namespace', 'purchase-orders', '--wait', '--timeout', '8m'],
    ...['--values', 'test/kubelet/values.yaml', ...server.helmArguments],
  ]);
/** Pods of one service or of all services, including terminating ones. */
async function pods(service?: string): Promise<Resource[]> {
  const all = await server.list(`${NAMESPACE}/pods`);
  const component = ({ metadata }: Resource) => metadata.labels['app.kubernetes.io/component'] ?? '';
  return all.filter((pod) => (service ? [service] : OURS).includes(component(pod)));
}
const names = async (service?: string) => (await pods(service)).map(({ metadata }) => metadata.name);
const isReady = ({ status }: Resource): boolean =>
  (status.conditions as { type: string; status: string }[]).some(
    (condition) => condition.type === 'Ready' && condition.status === 'True',
  );
const restarts = async () => (await pods()).map(({ status }) => Number(status.containerStatuses[0].restartCount));

/** Like `eventually`, but with pauses, because each probe costs the API server more than the awaited change. */
const change = <T>(label: string, probe: () => Promise<T>) =>
  eventually(label, () => delay(POLL_MS).then(probe), { timeoutMs: CHANGE_MS });

/** URL of the gateway's Service, which kube-proxy balances over the ready pods. */
async function gatewayUrl(): Promise<string> {
  const { spec } = await server.requestOk('GET', `${NAMESPACE}/services/po-po-collaboration-gateway`);
  return `http://${spec.clusterIP}:${spec.ports[0].port}`;
}

const adminToken = async () => (await compose.tokens()).get('admin');

/** Waits until these pods are gone and new ones are ready. */
const areReplaced = (service: string, before: readonly string[]) =>
  change(`the pods of ${service} are replaced`, async () => {
    const all = await pods(service);
    return all.length === 2 && all.every((pod) => isReady(pod) && !before.includes(pod.metadata.name));
  });

/** Requests of users that fail during a change. */
async function failuresDuring(change: () => Promise<void>): Promise<string[]> {
  const load = new Load(withoutRepeats(await gatewayUrl(), await adminToken()), ORDER.poNumber);
  await change().finally(() => load.stop());
  process.stderr.write(`  ${load.answered} requests answered during the change\n`);
  expect(load.answered).toBeGreaterThan(50);
  return load.failures;
}

beforeAll(async () => {
  if (Docker.usesHostEngine) throw new Error('the node needs its own engine: unset PO_DOCKER_ENGINE');
  docker = await Docker.open();
  await buildStandIns(docker);
  server = await ApiServer.start();
  node = new Node(docker, server);
  await node.start();
  compose = await Compose.open(docker);
  await compose.run(['build']);
  for (const name of OURS) await docker.run(['tag', `po/${name}`, `po/${name}:now`]);
  await node.load(OURS.map((name) => `po/${name}:now`));
  await stores('up', '--detach', '--wait', ...STORES);
  await server.requestOk('POST', '/api/v1/namespaces', {
    metadata: { name: 'purchase-orders', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  });
  for (const [name, stringData] of Object.entries(SECRETS))
    await server.requestOk('POST', `${NAMESPACE}/secrets`, { metadata: { name }, stringData });
}, START_MS);

afterAll(async () => {
  await compose?.run(['down', '--volumes', '--timeout', '5']);
  await server?.stop();
  await node?.stop();
  await docker?.close();
}, CHANGE_MS);

it(
  'helm install waits until the jobs have succeeded and every pod is ready by its probes',
  async () => {
    expect(await install()).toMatchObject({ code: 0 });
    expect((await pods()).map(isReady)).toEqual(Array.from({ length: 2 * OURS.length }, () => true));
    expect(await restarts()).toEqual(Array.from({ length: 2 * OURS.length }, () => 0));
    const jobs = await server.list('/apis/batch/v1/namespaces/purchase-orders/jobs');
    expect(jobs.map(({ metadata, status }) => [metadata.name, status.succeeded])).toEqual(
      JOBS.map((name) => [`po-po-collaboration-${name}`, 1]),
    );
  },
  ROLLOUT_MS,
);

it.each(OURS)('a pod is locked down: %s', async (service) => {
  const [pod] = (await pods(service)) as [Resource];
  const printed = await node.printed(pod, ['node', '--input-type=module', '--eval', INSPECTION]);
  expect(JSON.parse(printed)).toEqual(LOCKED_DOWN);
});

it('the Service of the gateway returns an order from the inventory topic', async () => {
  const admin = apiClient(await gatewayUrl(), await adminToken());
  await sendToInventory(compose.kafkaBrokers, [upsertMessage(ORDER)]);
  const look = async () => (await admin.get(`/purchase-orders/${ORDER.poNumber}`)).status === 200;
  expect(await eventually('the order exists', look)).toBe(true);
});

describe('while users work', () => {
  it(
    'a rollout replaces the pods of all services in turn, and no request fails',
    async () => {
      const template = { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': 'now' } } };
      const failures = await failuresDuring(async () => {
        for (const service of OURS) {
          const before = await names(service);
          const deployment = `/apis/apps/v1/namespaces/purchase-orders/deployments/po-po-collaboration-${service}`;
          const change = { spec: { template } };
          const { status } = await server.ask('PATCH', deployment, change, 'application/merge-patch+json');
          expect([service, status]).toEqual([service, 200]);
          await areReplaced(service, before);
        }
      });
      expect(failures).toEqual([]);
    },
    ROLLOUT_MS,
  );

  it(
    'a drain of the node evicts one pod of each service at a time, and no request fails',
    async () => {
      const evict = async (name: string) => {
        const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
        return (await server.ask('POST', `${NAMESPACE}/pods/${name}/eviction`, body)).status;
      };
      const failures = await failuresDuring(async () => {
        for (const service of OURS) {
          const before = await names(service);
          const [first = '', second = ''] = before;
          expect([service, await evict(first), await evict(second)]).toEqual([service, 201, 429]);
          await change(`${second} can be evicted`, async () => (await evict(second)) === 201);
          await areReplaced(service, before);
        }
      });
      expect(failures).toEqual([]);
    },
    ROLLOUT_MS,
  );
});

it(
  'a pod that starts while PostgreSQL is down reports it, is not restarted, and is ready after PostgreSQL returns',
  async () => {
    await stores('stop', 'postgres');
    const before = await names();
    await server.requestOk('DELETE', `${NAMESPACE}/pods/${(await names('purchase-orders'))[0]}`);
    const waiting = await change('the new pod waits for PostgreSQL', async () => {
      const next = (await pods('purchase-orders')).find(({ metadata }) => !before.includes(metadata.name));
      const answer = await fetch(`http://${next?.['status'].podIP}:9464/readyz`);
      return /waiting for PostgreSQL/.test(await answer.text()) && next?.metadata.name;
    });
    expect((await pods()).filter(isReady).map(({ metadata }) => metadata.name)).not.toContain(waiting);
    await stores('start', 'postgres');
    await change('all pods are ready', async () => (await pods()).every(isReady));
    expect([await names(), new Set(await restarts())]).toEqual([expect.arrayContaining([waiting]), new Set([0])]);
  },
  ROLLOUT_MS,
);

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from '@po/testing/documents';
import { ApiServer, definitionsOf } from './api-server.js';
import { CHART, NAMES, type Resource, rendered, resourcesIn, valuesOf } from './chart.js';
import { JobController } from './job-controller.js';
import { SERVICES } from '../../deploy/local/stack/stack-file.js';
import { runTool, runDir, tryTool } from '../../deploy/tools/fixtures/ops-tools.js';

const NAMESPACE = 'purchase-orders';
const DEPLOYMENTS = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;
const JOBS = `/apis/batch/v1/namespaces/${NAMESPACE}/jobs`;
const JOB_NAMES = ['migrate-mail', 'migrate-notifications', 'migrate-purchase-orders', 'topics'];
const STRICT = 'dryRun=All&fieldValidation=Strict';

/** Custom resource definitions: Go module, folder and kinds. */
const CUSTOM = [
  ['github.com/kedacore/keda/v2@v2.18.3', 'config/crd/bases', ['scaledobjects', 'triggerauthentications']],
  [
    'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    'example/prometheus-operator-crd',
    ['servicemonitors', 'podmonitors', 'prometheusrules'],
  ],
  [
    'github.com/cloudnative-pg/cloudnative-pg@v1.27.0',
    'config/crd/bases',
    ['clusters', 'databases', 'scheduledbackups'],
  ],
  ['github.com/cloudnative-pg/plugin-barman-cloud@v0.15.0', 'config/crd/bases', ['objectstores']],
] as const;
const definitions = () => join(runDir(), 'definitions');

let server: ApiServer;
let jobs: JobController;

const helm = (command: string, ...args: string[]) =>
  tryTool('helm', [command, 'po', ...args, '--namespace', NAMESPACE, '--timeout', '60s', ...server.helmArguments]);
const upgrade = (...args: string[]) => helm('upgrade', CHART, '--install', ...valuesOf('prod'), ...args);

async function images(): Promise<string[]> {
  const deployments = await server.list(DEPLOYMENTS);
  return deployments.map(({ spec }) => String(spec.template.spec.containers[0].image)).toSorted();
}

beforeAll(async () => {
  server = await ApiServer.start();
  await mkdir(definitions(), { recursive: true });
  for (const [module, folder, kinds] of CUSTOM) {
    for (const [file, text] of await definitionsOf(module, folder, kinds)) {
      await server.requestOk(
        'POST',
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        text,
        'application/yaml',
      );
      await writeFile(join(definitions(), file), text);
    }
  }
  // In a real cluster, its operator creates this class.
  await server.requestOk('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', {
    metadata: { name: 'business-critical' },
    value: 1000,
  });
  await server.requestOk('POST', '/api/v1/namespaces', {
    metadata: { name: NAMESPACE, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  });
  jobs = new JobController(server, JOBS, DEPLOYMENTS);
});

afterAll(async () => {
  await jobs?.stop();
  await server?.stop();
});

/** Path of the objects of a kind, from the discovery API of the server. */
async function pathOf({ apiVersion, kind }: Resource): Promise<string> {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { resources } = await server.requestOk<{ resources: { name: string; kind: string }[] }>('GET', root);
  const name = resources.find((resource) => resource.kind === kind && !resource.name.includes('/'))?.name;
  if (!name) throw new Error(`the server has no ${apiVersion} ${kind}`);
  return `${root}/namespaces/${NAMESPACE}/${name}`;
}

describe.each(NAMES)('the %s rendering', (name) => {
  it('is accepted by the API server with strict field validation', async () => {
    const resources = resourcesIn(await rendered(name));
    expect(resources.length).toBeGreaterThan(25);
    for (const resource of resources) {
      const { status, text } = await server.ask('POST', `${await pathOf(resource)}?${STRICT}`, resource);
      expect([resource.kind, resource.metadata.name, status, status < 300 ? '' : text]).toEqual([
        resource.kind,
        resource.metadata.name,
        201,
        '',
      ]);
    }
  });

  it('has pods that meet the restricted Pod Security Standard', async () => {
    const workloads = resourcesIn(await rendered(name)).filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
    expect(workloads).toHaveLength(SERVICES.length + JOB_NAMES.length);
    for (const { metadata, spec } of workloads) {
      const pod = { metadata: { name: metadata.name }, spec: spec.template.spec as object };
      const { status, text } = await server.ask('POST', `/api/v1/namespaces/${NAMESPACE}/pods?${STRICT}`, pod);
      expect([metadata.name, status, status < 300 ? '' : text]).toEqual([metadata.name, 201, '']);
    }
  });

  it('passes kubectl-validate, including custom resources', async () => {
    const file = join(runDir(), `validated-${name}.yaml`);
    await writeFile(file, await rendered(name));
    await runTool('kubectl-validate', [file, '--version', '1.30', '--local-crds', definitions()]);
    expect(file).toContain(name);
  });
});

describe('the CloudNativePG manifest', () => {
  const resources = resourcesIn(readText('deploy/kubernetes/cloudnative-pg.yaml'));

  it('is accepted by the API server with strict field validation', async () => {
    for (const resource of resources) {
      const { status, text } = await server.ask('POST', `${await pathOf(resource)}?${STRICT}`, resource);
      expect([resource.kind, status, status < 300 ? '' : text]).toEqual([resource.kind, 201, '']);
    }
  });

  it('archives WAL to an object store and takes a base backup every night', () => {
    const one = (wanted: string) => resources.find(({ kind }) => kind === wanted);
    const [cluster, store, backup] = ['Cluster', 'ObjectStore', 'ScheduledBackup'].map(one);
    const plugin = 'barman-cloud.cloudnative-pg.io';
    expect(cluster?.['spec'].plugins).toEqual([
      { name: plugin, isWALArchiver: true, parameters: { barmanObjectName: store?.metadata.name } },
    ]);
    expect(backup?.['spec']).toMatchObject({
      cluster: { name: cluster?.metadata.name },
      schedule: '0 0 1 * * *',
      method: 'plugin',
      pluginConfiguration: { name: plugin },
    });
  });
});

describe('a Helm release', () => {
  /** Digests of release.yaml, sorted by service name. */
  const DIGESTS = ['d4', 'a1', 'e5', 'c3', 'b2'].map((part) => `sha256:${part.repeat(32)}`);
  const NEXT = `sha256:${'1'.repeat(64)}`;
  const nextImages = SERVICES.flatMap((service) => ['--set', `${service}.image.digest=${NEXT}`]);

  it('is installed after its jobs have ended, and leaves no service account of the jobs', async () => {
    expect(await upgrade()).toMatchObject({ code: 0 });
    expect(jobs.seenBeside()).toEqual(JOB_NAMES.map(() => 0));
    expect(jobs.ended()).toEqual(JOB_NAMES);
    expect((await images()).map((image) => image.split('@')[1])).toEqual(DIGESTS);
    const accounts = await server.list(`/api/v1/namespaces/${NAMESPACE}/serviceaccounts`);
    expect(accounts.map(({ metadata }) => metadata.name).filter((account) => account.endsWith('-jobs'))).toEqual([]);
  });

  it('is upgraded after the jobs of the next version have ended', async () => {
    expect(await upgrade(...nextImages)).toMatchObject({ code: 0 });
    expect(jobs.ended()).toEqual(JOB_NAMES);
    expect((await images()).map((image) => image.split('@')[1])).toEqual(SERVICES.map(() => NEXT));
  });

  it('keeps the gateway stopped and starts the other services, as RESTORE.md requires', async () => {
    const replicas = async () =>
      Object.fromEntries((await server.list(DEPLOYMENTS)).map(({ metadata, spec }) => [metadata.name, spec.replicas]));
    const names = Object.keys(await replicas());
    for (const name of names) {
      const path = `${DEPLOYMENTS}/${name}`;
      await server.requestOk('PATCH', path, { spec: { replicas: 0 } }, 'application/merge-patch+json');
    }
    expect(await upgrade(...nextImages, '--set', 'gateway.replicas=0')).toMatchObject({ code: 0 });
    expect(jobs.ended()).toEqual(JOB_NAMES);
    expect(await replicas()).toEqual(
      Object.fromEntries(names.map((name) => [name, name === 'po-po-collaboration-gateway' ? 0 : 3])),
    );
  });

  it('keeps running unchanged if a job of the next version fails', async () => {
    const before = await images();
    jobs.fails('migrate-notifications');
    const { code, text } = await upgrade();
    expect(code).not.toBe(0);
    expect(text).toContain('po-po-collaboration-migrate-notifications');
    expect(await images()).toEqual(before);
    jobs.fails(null);
    jobs.ended();
  });

  it('rolls back to the first revision without running a job', async () => {
    const history = JSON.parse(
      await runTool('helm', ['history', 'po', '--namespace', NAMESPACE, '--output', 'json', ...server.helmArguments]),
    ) as { revision: number; status: string }[];
    expect(history.map(({ status }) => status)).toEqual(['superseded', 'superseded', 'deployed', 'failed']);
    expect(await helm('rollback', '1')).toMatchObject({ code: 0 });
    expect((await images()).map((image) => image.split('@')[1])).toEqual(DIGESTS);
    expect(jobs.ended()).toEqual([]);
  });

  it('is removed by an uninstall, except for its jobs, whose logs can still be read', async () => {
    expect(await helm('uninstall')).toMatchObject({ code: 0 });
    expect(await server.list(DEPLOYMENTS)).toEqual([]);
    const names = (await server.list(JOBS)).map(({ metadata }) => metadata.name);
    expect(names).not.toEqual([]);
    expect(names.every((name) => /-(topics|migrate-\S+)$/.test(name))).toBe(true);
  });
});

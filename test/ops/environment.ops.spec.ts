import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { subscriptions as dashboard } from '../../services/dashboard/src/subscriptions.js';
import { subscriptions as mail } from '../../services/mail/src/subscriptions.js';
import { subscriptions as notifications } from '../../services/notifications/src/subscriptions.js';
import { subscriptions as purchaseOrders } from '../../services/purchase-orders/src/subscriptions.js';
import { makeAuthority, writeIdentity } from '@po/testing/certificates';
import { readText } from '@po/testing/documents';
import { NODE_VARIABLES, SETTINGS } from '../support/settings.js';
import { NAMES, type Resource, rendered, resourcesIn } from './chart.js';

/** Folder with example contents of the mounted Secrets and ConfigMaps, by file name. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'po-environment-'));
  const authority = await makeAuthority('authority');
  await writeIdentity(folder, authority, await authority.certify('client'));
  await writeFile(join(folder, 'password'), 'secret');
  await writeFile(join(folder, 'dkim.key'), rsa.export({ type: 'pkcs8', format: 'pem' }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Local path of a file of the container; the path in the container if the file is not mounted. */
function fileOf({ volumeMounts, volumes }: Container, path: string): string {
  const mount = volumeMounts.find(({ mountPath }) => mountPath === dirname(path));
  const sources = volumes.find(({ name }) => name === mount?.name)?.projected?.sources ?? [];
  const files = sources.flatMap((source) =>
    Object.values(source).flatMap(({ items }) => items.map((item) => item.path)),
  );
  return files.includes(basename(path)) ? join(folder, basename(path)) : path;
}

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const jwk = (key: typeof privateKey) => ({ ...key.export({ format: 'jwk' }), kid: 'k1' });

/** Example content of the Secret behind a variable. */
function secretOf(variable: string): string {
  if (variable === 'ACTOR_SIGNING_KEY') return JSON.stringify(jwk(privateKey));
  if (variable === 'ACTOR_VERIFICATION_KEYS') return JSON.stringify({ keys: [jwk(publicKey)] });
  if (variable === 'REDIS_URL') return 'rediss://orders:secret@redis:6380';
  if (variable.startsWith('DATABASE_URL')) return 'postgres://role:secret@postgres:5432/purchase_orders';
  if (variable === 'OTEL_EXPORTER_OTLP_HEADERS') return 'authorization=secret';
  return 'secret';
}

interface Variable {
  name: string;
  value?: string;
  valueFrom?: { fieldRef?: object; secretKeyRef?: object };
}
interface Container {
  name: string;
  volumeMounts: { name: string; mountPath: string }[];
  /** Volumes of the container's pod. */
  volumes: { name: string; projected?: { sources: Record<string, { items: { path: string }[] }>[] } }[];
  command?: string[];
  env?: Variable[];
}

/** Environment of the process in a container. */
function environmentOf(container: Container): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const { name, value, valueFrom } of container.env ?? [])
    environment[name] = valueFrom?.fieldRef ? 'gateway-7d9f-x2x' : (value?.replaceAll('$$', '$') ?? secretOf(name));
  for (const [name, value] of Object.entries(environment))
    if (value.startsWith('/etc/po/')) environment[name] = fileOf(container, value);
  return environment;
}

/** Variables that values-everything.yaml adds. */
const EXTRA = ['TZ', 'COLLECTOR_PASSWORD'];

const containersOf = (resources: readonly Resource[]): Container[] =>
  resources
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map((workload) => {
      const { spec } = (
        workload['spec'] as { template: { spec: { containers: [Container]; volumes: Container['volumes'] } } }
      ).template;
      return { ...spec.containers[0], volumes: spec.volumes };
    });

describe.each(NAMES)('the %s rendering', (name) => {
  it('gives every process a valid environment without unknown variables', async () => {
    const containers = containersOf(resourcesIn(await rendered(name)));
    expect(containers.map((container) => container.name).toSorted()).toEqual(Object.keys(SETTINGS).toSorted());
    for (const container of containers) {
      const settings = SETTINGS[container.name] ?? z.object({});
      const environment = environmentOf(container);
      const read = settings.safeParse(environment);
      expect({ container: container.name, issues: read.error?.issues ?? [] }).toEqual({
        container: container.name,
        issues: [],
      });
      const known = [...Object.keys(settings.shape), ...NODE_VARIABLES, ...EXTRA];
      expect(Object.keys(environment).filter((variable) => !known.includes(variable))).toEqual([]);
    }
  });
});

describe('the jobs', () => {
  it('run the same programs as in docker compose', async () => {
    const compose = parse(readText('docker-compose.yml'), { merge: true }) as {
      services: Record<string, { command?: string[]; image: string }>;
    };
    const jobs = containersOf(resourcesIn(await rendered('default'))).filter(({ command }) => command !== undefined);
    expect(jobs).toHaveLength(4);
    for (const { name, command } of jobs) expect([name, compose.services[name]?.command]).toEqual([name, command]);
  });
});

describe('scaling by lag', () => {
  it('watches exactly the groups and topics that each service reads', async () => {
    const triggers = resourcesIn(await rendered('everything'))
      .filter(({ kind }) => kind === 'ScaledObject')
      .map(({ metadata, spec }) => [
        metadata.labels['app.kubernetes.io/component'],
        (spec as { triggers: { metadata: { consumerGroup: string; topic: string } }[] }).triggers.map(
          (trigger) => `${trigger.metadata.consumerGroup} ${trigger.metadata.topic}`,
        ),
      ]);
    const read = ({ rpc, events }: ReturnType<typeof dashboard>) => [
      ...rpc.map(({ group, topic }) => `${group}-replay1 ${topic}`),
      ...events.flatMap(({ group, topics }) => topics.map((topic) => `${group}-replay1 ${topic}`)),
    ];
    const expected = {
      'purchase-orders': purchaseOrders(1),
      notifications: notifications(1),
      dashboard: dashboard(),
      mail: mail(1),
    };
    const sorted = (entries: [string, string[]][]) =>
      Object.fromEntries(entries.map(([key, all]) => [key, all.toSorted()]));
    expect(sorted(triggers as [string, string[]][])).toEqual(
      sorted(Object.entries(expected).map(([service, subscribed]) => [service, read(subscribed)])),
    );
  });
});

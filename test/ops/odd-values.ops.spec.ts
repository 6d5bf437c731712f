import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { CHART } from './chart.js';
import { runTool, runDir } from '../../deploy/tools/fixtures/ops-tools.js';

/** Names that YAML reads as numbers or booleans unless they are quoted. */
const VALUES = {
  fullnameOverride: 'on',
  image: { pullSecrets: ['123'] },
  kafka: {
    brokers: ['[fd00::1]:9093'],
    certificates: { ca: { secret: '1e3', key: 'true' }, clients: { dashboard: '007' } },
  },
  trust: { configMap: '10', key: '1.0' },
  defaults: { priorityClassName: '5' },
  purchaseOrders: { autoscaling: { lag: { enabled: true, lagThreshold: 1_000_000 } } },
  dashboard: {
    serviceAccount: { name: '99' },
    autoscaling: { lag: { enabled: true } },
    secrets: { REDIS_URL: { name: '31', key: '2' } },
  },
  ingress: { enabled: true, host: 'orders.example.com', className: '1', tls: { secretName: '2' } },
  monitoring: {
    serviceMonitor: { enabled: true },
    prometheusRule: { enabled: true },
    grafanaDashboards: { enabled: true },
  },
};
const TEXTS = [
  'app.kubernetes.io/instance',
  'bootstrapServers',
  'ingressClassName',
  'key',
  'lagThreshold',
  'name',
  'namespace',
  'priorityClassName',
  'secretName',
  'serviceAccountName',
];

async function template(release: string, values: object): Promise<string> {
  const file = join(runDir(), 'odd.json');
  await writeFile(file, JSON.stringify(values));
  return runTool('helm', ['template', release, CHART, '--namespace', '1234', '--values', file]);
}

it.each(['serviceMonitor', 'podMonitor'])('the chart renders each key once, also with a %s', async (monitor) => {
  const own = { enabled: true, labels: { team: 'platform' } };
  const values = {
    labels: { team: 'purchasing' },
    monitoring: { [monitor]: own, prometheusRule: own, grafanaDashboards: own },
  };
  const documents = parseAllDocuments(await template('po', values));
  expect(documents.flatMap(({ errors }) => errors.map(({ message }) => message))).toEqual([]);
  const teams = documents.map((document) => document.getIn(['metadata', 'labels', 'team']));
  expect(teams.filter((team) => team === 'platform')).toHaveLength(3);
});

it('the chart renders names as strings even if they look like numbers or booleans', async () => {
  const text = await template('yes', VALUES);
  const wrong: string[] = [];
  // YAML 1.1, which Kubernetes uses: `on` and `yes` are booleans.
  for (const document of parseAllDocuments(text, { version: '1.1' })) {
    JSON.stringify(document, (name, value: unknown) => {
      if (TEXTS.includes(name) && typeof value !== 'string') wrong.push(`${name}: ${String(value)}`);
      return value;
    });
  }
  expect(wrong).toEqual([]);
  expect(text).toContain('lagThreshold: "1000000"');
});

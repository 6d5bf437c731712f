import { SERVICE_NAMES } from '../../../deploy/local/stack/stack-file.js';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { ROOT, readText } from '@po/testing/documents';
import { CHART, type Resource } from '../chart.js';
import {
  APP_VERSION,
  CHART_VERSION,
  type Values,
  eachService,
  find,
  fullName,
  jobsOf,
  ofKind,
  property,
  servicesOf,
} from './property.js';

const SECRET = /(PASSWORD|DATABASE_URL_\w+|REDIS_URL|SIGNING_KEY|VERIFICATION_KEYS)$/;
const WITH_PASSWORD = /:\/\/[^/@]*:[^/@]+@/;

const SASL: Record<string, string> = { 'scram-sha-256': 'scram_sha256' };
const DASHBOARDS = join(CHART, 'files/dashboards');

/** Component of an object, derived from its name; undefined for objects of the whole release. */
function componentOf({ kind, metadata }: Resource): string | undefined {
  if (kind === 'Job') return 'jobs';
  if (kind === 'Ingress') return 'gateway';
  const name = metadata.name.replace(/-management$/, '');
  return [...Object.values(SERVICE_NAMES), 'jobs'].find((component) => name.endsWith(`-${component}`));
}

/** Labels by which an object selects pods; for a Job, the labels of its pods. */
const selectorOf = ({ kind, spec }: Resource): Values | undefined =>
  kind === 'Job'
    ? spec.template.metadata.labels
    : (spec?.podSelector?.matchLabels ?? spec?.selector?.matchLabels ?? spec?.selector);

export const OBJECT_PROPERTIES = [
  property(
    'every object has the labels recommended by Kubernetes and those from the values, and selects by chart, release and component',
    (rendered) => {
      for (const resource of rendered.resources) {
        const { kind, metadata } = resource;
        const component = componentOf(resource);
        const selector = {
          'app.kubernetes.io/name': 'po-collaboration',
          'app.kubernetes.io/instance': 'po',
          ...(component ? { 'app.kubernetes.io/component': component } : {}),
        };
        expect([kind, metadata.name, metadata.labels]).toMatchObject([
          kind,
          metadata.name,
          {
            ...selector,
            'app.kubernetes.io/version': APP_VERSION,
            'app.kubernetes.io/part-of': 'po-collaboration',
            'app.kubernetes.io/managed-by': 'Helm',
            'helm.sh/chart': `po-collaboration-${CHART_VERSION}`,
            ...rendered.values['labels'],
          },
        ]);
        const found = selectorOf(resource);
        const port = kind === 'ServiceMonitor' ? { 'po-collaboration/port': 'management' } : {};
        if (found) expect([kind, metadata.name, found]).toEqual([kind, metadata.name, { ...selector, ...port }]);
      }
    },
  ),
  property(
    'a service runs under its own account or the one from the values, jobs under another, and none mounts a token',
    (rendered) => {
      for (const { component, own, pod } of servicesOf(rendered)) {
        const { create, name, annotations } = own['serviceAccount'] as Values;
        const account = name || `${fullName(rendered)}-${component}`;
        const created = find(rendered, 'ServiceAccount', account);
        expect([component, pod['serviceAccountName'], created !== undefined]).toEqual([component, account, create]);
        if (create) expect(created?.metadata.annotations ?? {}).toEqual(annotations);
      }
      for (const { metadata, automountServiceAccountToken } of ofKind(rendered, 'ServiceAccount'))
        expect([metadata.name, automountServiceAccountToken]).toEqual([metadata.name, false]);
      for (const { pod } of jobsOf(rendered)) expect(pod['serviceAccountName']).toBe(`${fullName(rendered)}-jobs`);
    },
  ),
  property('no variable contains a secret, judging by its name and by passwords in addresses', (rendered) => {
    const variables = [...servicesOf(rendered), ...jobsOf(rendered)].flatMap(({ container }) =>
      (container['env'] as Values[]).flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
    );
    const isSecret = ([name, value]: unknown[]) => SECRET.test(String(name)) || WITH_PASSWORD.test(String(value));
    expect(variables.filter(isSecret)).toEqual([]);
  }),
  property(
    'draining a node evicts as many replicas as the values allow, plus those that are not ready',
    eachService((service) => {
      const { component, own } = service;
      const { enabled, maxUnavailable } = own['disruptionBudget'] as Values;
      const budget = find(service, 'PodDisruptionBudget', `${fullName(service)}-${component}`);
      expect([component, budget?.['spec']]).toEqual([
        component,
        enabled
          ? {
              maxUnavailable,
              unhealthyPodEvictionPolicy: 'AlwaysAllow',
              selector: service.deployment['spec'].selector,
            }
          : undefined,
      ]);
    }),
  ),
  property(
    'a service scales slowly by CPU, within the bounds from the values',
    eachService((service) => {
      const { component, own, deployment } = service;
      const { enabled, minReplicas, maxReplicas, averageUtilization } = own['autoscaling'].cpu as Values;
      const autoscaler = find(service, 'HorizontalPodAutoscaler', `${fullName(service)}-${component}`);
      expect([component, autoscaler !== undefined]).toEqual([component, enabled]);
      if (!autoscaler) return;
      const policy = (value: number) => [{ type: 'Pods', value, periodSeconds: 60 }];
      const target = { type: 'Utilization', averageUtilization };
      expect(autoscaler['spec']).toEqual({
        minReplicas,
        maxReplicas,
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: deployment.metadata.name },
        behavior: {
          scaleUp: { stabilizationWindowSeconds: 30, policies: policy(2) },
          scaleDown: { stabilizationWindowSeconds: 300, policies: policy(1) },
        },
      });
    }),
  ),
  property(
    'a service scales by lag within the bounds from the values, and KEDA connects to Kafka like the service',
    eachService((service) => {
      const { component, own, values, deployment } = service;
      const name = `${fullName(service)}-${component}`;
      const lag = (own['autoscaling'].lag ?? { enabled: false }) as Values;
      const scaled = find(service, 'ScaledObject', name);
      const authentication = find(service, 'TriggerAuthentication', name);
      expect([component, scaled !== undefined, authentication !== undefined]).toEqual([
        component,
        lag['enabled'],
        lag['enabled'],
      ]);
      if (!scaled) return;
      const { minReplicas, maxReplicas, lagThreshold } = lag;
      const { brokers, saslMechanism, certificates } = values['kafka'] as Values;
      const metadata = {
        bootstrapServers: brokers.join(','),
        lagThreshold: String(lagThreshold),
        tls: 'enable',
        offsetResetPolicy: 'earliest',
        sasl: SASL[saslMechanism],
        consumerGroup: expect.any(String),
        topic: expect.any(String),
      };
      expect(scaled['spec']).toEqual({
        scaleTargetRef: { name: deployment.metadata.name },
        pollingInterval: 15,
        cooldownPeriod: 300,
        minReplicaCount: minReplicas,
        maxReplicaCount: maxReplicas,
        triggers: scaled['spec'].triggers.map(() => ({ type: 'kafka', metadata, authenticationRef: { name } })),
      });
      const { ca, clients, keys } = certificates as Values;
      const { name: secret, key } = own['secrets'].KAFKA_SASL_PASSWORD as Values;
      const client = clients[service.key] as string;
      expect(authentication?.['spec']).toEqual({
        env: [{ parameter: 'username', name: 'KAFKA_SASL_USERNAME', containerName: component }],
        secretTargetRef: [
          { parameter: 'ca', name: ca.secret, key: ca.key },
          ...(client ? [{ parameter: 'cert', name: client, key: keys.cert }] : []),
          ...(client ? [{ parameter: 'key', name: client, key: keys.key }] : []),
          { parameter: 'password', name: secret, key },
        ],
      });
    }),
  ),
  property(
    'Prometheus scrapes every management Service at the interval from the values, under the job names of the alerts',
    (rendered) => {
      const { serviceMonitor, podMonitor } = rendered.values['monitoring'] as Values;
      const monitor = find(rendered, 'ServiceMonitor', fullName(rendered));
      expect([monitor !== undefined, podMonitor.enabled]).toEqual([serviceMonitor.enabled, false]);
      if (!monitor) return;
      const { interval, labels } = serviceMonitor as Values;
      const component = '__meta_kubernetes_pod_label_app_kubernetes_io_component';
      const relabelings = [{ sourceLabels: [component], targetLabel: 'job', replacement: 'po-collaboration/$1' }];
      expect(monitor.metadata.labels).toMatchObject(labels);
      expect(monitor['spec'].endpoints).toEqual([{ port: 'management', path: '/metrics', interval, relabelings }]);
    },
  ),
  property(
    'Prometheus finds the alerts and Grafana the dashboards of the repository by the labels from the values',
    (rendered) => {
      const { prometheusRule, grafanaDashboards } = rendered.values['monitoring'] as Values;
      const found = [
        find(rendered, 'PrometheusRule', fullName(rendered)),
        find(rendered, 'ConfigMap', `${fullName(rendered)}-dashboards`),
      ];
      expect(found.map((object) => object !== undefined)).toEqual([prometheusRule.enabled, grafanaDashboards.enabled]);
      const [rule, dashboards] = found;
      if (rule) expect(rule.metadata.labels).toMatchObject(prometheusRule.labels);
      if (!dashboards) return;
      expect(dashboards.metadata).toMatchObject({ labels: grafanaDashboards.labels });
      expect(dashboards.metadata.annotations ?? {}).toEqual(grafanaDashboards.annotations);
      const parsed = Object.entries(dashboards['data'] as Values).map(([file, text]) => [file, JSON.parse(text)]);
      const files = readdirSync(join(ROOT, DASHBOARDS)).toSorted();
      expect(parsed).toEqual(files.map((file) => [file, JSON.parse(readText(join(DASHBOARDS, file)))]));
    },
  ),
];

import { TopicsJobSettings } from '@po/messaging';
import { SETTINGS, type Settings, isCommon } from '../settings.js';
import {
  DEFINITIONS,
  type Schema,
  array,
  choice,
  integer,
  object,
  propertyReference,
  reference,
  text,
  bool,
} from './value-schemas.js';
import { configSchema, secretsSchema } from './settings-schema.js';

const common = Object.fromEntries(Object.entries(SETTINGS.gateway).filter((setting) => isCommon(...setting)));

/** Workload values of each service, apart from its settings. */
const WORKLOAD: Record<string, Schema> = {
  replicas: integer(0, 100),
  resources: reference('resources'),
  heap: object({ oldSpace: integer(64), semiSpace: integer(1, 128) }),
  terminationGracePeriodSeconds: integer(1, 600),
  probes: object({ startup: reference('probe'), liveness: reference('probe'), readiness: reference('probe') }),
  runAsUser: { description: 'neither root nor a user of the node', ...integer(10_000) },
  runAsGroup: { description: 'neither the group of root nor one of the node', ...integer(10_000) },
  disruptionBudget: object({
    enabled: bool,
    maxUnavailable: { type: ['integer', 'string'], minimum: 1, pattern: '^[1-9][0-9]?%$' },
  }),
  spread: object({ zones: reference('spread'), hosts: reference('spread') }),
  serviceAccount: object({ create: bool, name: reference('nameOrNothing'), annotations: reference('texts') }),
  priorityClassName: reference('nameOrNothing'),
  annotations: reference('texts'),
  podAnnotations: reference('texts'),
  podLabels: reference('texts'),
  nodeSelector: reference('texts'),
  tolerations: array({ type: 'object' }),
  affinity: { type: 'object' },
  extraEnv: array(reference('variable')),
  extraVolumes: array({ type: 'object', required: ['name'] }),
  extraVolumeMounts: array({ type: 'object', required: ['name', 'mountPath'] }),
};
/** Workload values of one service, which override the defaults. */
const OWN_WORKLOAD = Object.fromEntries(
  Object.keys(WORKLOAD).map((name) => [name, propertyReference(`defaults/properties/${name}`)]),
);
const byLag = object({ cpu: reference('cpuScaling'), lag: reference('lagScaling') });
const migrations = object({
  enabled: bool,
  secrets: object({ DATABASE_URL_MIGRATIONS: reference('secretKey') }, ['DATABASE_URL_MIGRATIONS']),
});

const service = (settings: Settings, own: Record<string, Schema>): Schema =>
  object(
    {
      image: reference('image'),
      config: configSchema(settings, common),
      secrets: secretsSchema(settings),
      ...own,
      ...OWN_WORKLOAD,
    },
    ['image', 'config', 'secrets'],
  );

/** Certificates of a store and its clients. All clients are required: one removed with null would not get the CA either. */
const certificatesOf = (...clients: string[]): Schema =>
  object({
    ca: reference('bundle'),
    clients: object(Object.fromEntries(clients.map((client) => [client, reference('nameOrNothing')])), clients),
    keys: object({ cert: reference('key'), key: reference('key') }),
  });

const destination = reference('destination');

const SECTIONS: Record<string, Schema> = {
  fullnameOverride: text('^([a-z]([-a-z0-9]*[a-z0-9])?)?$'),
  labels: reference('texts'),
  image: object({
    registry: text('^([a-z0-9][a-z0-9._/:-]*)?$'),
    tag: text('^([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$'),
    byDigest: bool,
    pullPolicy: choice('IfNotPresent', 'Always', 'Never'),
    pullSecrets: array(reference('name')),
  }),
  kafka: object({
    brokers: {
      ...array(text(String.raw`^([A-Za-z0-9._-]+|\[[0-9a-fA-F:.]+\]):[1-9][0-9]{0,4}$`)),
      minItems: 1,
    },
    tls: bool,
    saslMechanism: choice('', 'plain', 'scram-sha-256', 'scram-sha-512'),
    certificates: certificatesOf('gateway', 'purchaseOrders', 'notifications', 'dashboard', 'mail', 'topics'),
  }),
  postgresql: object({
    tls: choice('verify-full', 'disable'),
    certificates: certificatesOf(
      'purchaseOrders',
      'notifications',
      'mail',
      'purchaseOrdersMigrations',
      'notificationsMigrations',
      'mailMigrations',
    ),
  }),
  redis: object({ certificates: certificatesOf('gateway', 'notifications', 'dashboard') }),
  trust: reference('bundle'),
  config: configSchema(common),
  secrets: secretsSchema(common),
  defaults: object({ ...WORKLOAD, autoscaling: object({ cpu: reference('cpuScaling') }) }),
  gateway: service(SETTINGS.gateway, {
    autoscaling: object({ cpu: reference('gatewayScaling') }),
    service: object({
      type: choice('ClusterIP', 'NodePort', 'LoadBalancer'),
      port: reference('port'),
      annotations: reference('texts'),
    }),
  }),
  purchaseOrders: service(SETTINGS['purchase-orders'], { autoscaling: byLag, migrations }),
  notifications: service(SETTINGS.notifications, { autoscaling: byLag, migrations }),
  dashboard: service(SETTINGS.dashboard, { autoscaling: byLag }),
  mail: service(SETTINGS.mail, { autoscaling: byLag, migrations }),
  topics: object({
    enabled: bool,
    config: configSchema(TopicsJobSettings.shape),
    secrets: secretsSchema(TopicsJobSettings.shape),
  }),
  jobs: object({
    hooks: bool,
    backoffLimit: integer(0, 20),
    activeDeadlineSeconds: integer(60),
    ttlSecondsAfterFinished: integer(0),
    annotations: reference('texts'),
    podAnnotations: reference('texts'),
    resources: reference('resources'),
  }),
  ingress: object({
    enabled: bool,
    className: reference('nameOrNothing'),
    host: text(String.raw`^((\*\.)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$`),
    path: choice('', '/', '/api'),
    annotations: reference('texts'),
    tls: object({ enabled: bool, secretName: reference('name') }),
  }),
  networkPolicy: object({
    enabled: bool,
    gatewayFrom: reference('peers'),
    managementFrom: reference('peers'),
    dns: destination,
    kafka: destination,
    postgresql: destination,
    redis: destination,
    identityProvider: destination,
    otlp: destination,
    smtp: destination,
    extraEgress: array(
      object({ to: reference('peers'), ports: { ...array({ type: 'object' }), minItems: 1 } }, ['to', 'ports']),
    ),
  }),
  monitoring: object({
    serviceMonitor: reference('monitor'),
    podMonitor: reference('monitor'),
    prometheusRule: object({
      enabled: bool,
      labels: reference('texts'),
      alertLabels: reference('texts'),
      runbookBaseUrl: text(String.raw`^https?://\S+[^/\s]$`),
    }),
    grafanaDashboards: object({ enabled: bool, labels: reference('texts'), annotations: reference('texts') }),
  }),
};

/** JSON Schema of the chart's values. Unknown values are refused, and no section may be removed with null. */
export function valuesSchema(): Schema {
  const global = { description: 'values that Helm passes to a subchart', type: 'object' };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of po-collaboration',
    ...object({ global, ...SECTIONS }, Object.keys(SECTIONS)),
    definitions: DEFINITIONS,
  };
}

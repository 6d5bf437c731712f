import { SERVICE_NAMES } from '../../../deploy/local/stack/stack-file.js';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readText } from '@po/testing/documents';
import { CHART, type Rendering, type Resource, filesOf, rendered, resourcesIn } from '../chart.js';

// Properties read only values that values.yaml defines.
export type Values = Record<string, any>;

/** Objects and values of one rendering. */
export interface Rendered {
  rendering: Rendering;
  /** All values, including those that the rendering does not change. */
  values: Values;
  resources: Resource[];
}

/** Versions in Chart.yaml. */
export const { version: CHART_VERSION, appVersion: APP_VERSION } = parse(readText(join(CHART, 'Chart.yaml'))) as Record<
  'version' | 'appVersion',
  string
>;

export interface Property {
  title: string;
  check: (rendered: Rendered) => void | Promise<void>;
}

export const property = (title: string, check: Property['check']): Property => ({ title, check });

const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges values as Helm does: maps member by member, everything else as a whole. */
function merged(below: Values, above: Values = {}): Values {
  const result = { ...below };
  for (const [name, value] of Object.entries(above))
    result[name] = isMap(value) && isMap(below[name]) ? merged(below[name], value) : value;
  return result;
}

export async function render(rendering: Rendering, args: readonly string[] = []): Promise<Rendered> {
  const files = [join(CHART, 'values.yaml'), ...filesOf(rendering)];
  const values = files.map((file) => parse(readText(file)) as Values).reduce((below, above) => merged(below, above));
  return { rendering, values, resources: resourcesIn(await rendered(rendering, args)) };
}

/** Prefix of the object names in a rendering. */
export const fullName = ({ values }: Rendered): string => values['fullnameOverride'] || 'po-po-collaboration';

/** The resource with this kind and name; undefined if there is none. */
export const find = (rendered: Rendered, kind: string, name: string): Resource | undefined =>
  rendered.resources.find((resource) => resource.kind === kind && resource.metadata.name === name);

export const ofKind = ({ resources }: Rendered, kind: string): Resource[] =>
  resources.filter((resource) => resource.kind === kind);

/** One service of a rendering. */
export interface Service extends Rendered {
  /** Key in values.yaml. */
  key: string;
  /** Name in object names and labels. */
  component: string;
  /** Values of the service, merged over the defaults of all services. */
  own: Values;
  deployment: Resource;
  pod: Values;
  container: Values;
}

export const servicesOf = (rendered: Rendered): Service[] =>
  Object.entries(SERVICE_NAMES).map(([key, component]) => {
    const { values } = rendered;
    const shared = merged(values['defaults'], { config: values['config'], secrets: values['secrets'] });
    const deployment = find(rendered, 'Deployment', `${fullName(rendered)}-${component}`);
    if (!deployment) throw new Error(`no Deployment of ${component}`);
    const pod = deployment['spec'].template.spec as Values;
    return {
      ...rendered,
      key,
      component,
      own: merged(shared, values[key]),
      deployment,
      pod,
      container: pod['containers'][0],
    };
  });

/** Checks every service of a rendering. */
export const eachService =
  (check: (service: Service) => void) =>
  (rendered: Rendered): void =>
    servicesOf(rendered).forEach(check);

/** One job of a rendering. */
export interface Job extends Rendered {
  /** Name of its container. */
  name: string;
  /** Key in values.yaml of the service whose image the job runs. */
  imageOf: string;
  /** Key in the certificate clients of values.yaml. */
  client: string;
  command: string[];
  own: { config: Values; secrets: Values };
  job: Resource;
  pod: Values;
  container: Values;
}

/** Services with a database, by their keys in values.yaml. */
export const DATABASES = ['purchaseOrders', 'notifications', 'mail'] as const;

const END_AT_SIGNALS = '--import=../../libs/platform/dist/process/end-at-signals.js';

export function jobsOf(rendered: Rendered): Job[] {
  const { values } = rendered;
  const { OTEL_EXPORTER_OTLP_HEADERS: _, ...secrets } = values['secrets'] as Values;
  const { LOG_LEVEL, KAFKA_SASL_USERNAME } = values['config'] as Values;
  const user = KAFKA_SASL_USERNAME === undefined ? {} : { KAFKA_SASL_USERNAME };
  const topics = {
    name: 'topics',
    imageOf: 'purchaseOrders',
    client: 'topics',
    command: ['node', END_AT_SIGNALS, '../../libs/messaging/dist/topics/create-topics.js'],
    own: {
      config: { ...kafkaSettings(values), LOG_LEVEL, ...user, ...values['topics'].config },
      secrets: { ...secrets, ...values['topics'].secrets },
    },
  };
  const migrations = DATABASES.map((key) => ({
    name: `migrate-${SERVICE_NAMES[key]}`,
    imageOf: key,
    client: `${key}Migrations`,
    command: ['node', END_AT_SIGNALS, 'dist/migrate.js'],
    own: {
      config: { LOG_LEVEL, PGSSLMODE: values['postgresql'].tls },
      secrets: values[key].migrations.secrets,
    },
  }));
  return [topics, ...migrations].map((job) => {
    const found = ofKind(rendered, 'Job').find(({ spec }) => spec.template.spec.containers[0].name === job.name);
    if (!found) throw new Error(`no Job ${job.name}`);
    const pod = found['spec'].template.spec as Values;
    return { ...rendered, ...job, job: found, pod, container: pod['containers'][0] };
  });
}

export const eachJob =
  (check: (job: Job) => void) =>
  (rendered: Rendered): void =>
    jobsOf(rendered).forEach(check);

/** Variables with which every program connects to Kafka. */
export const kafkaSettings = ({ kafka }: Values): Values => ({
  KAFKA_BROKERS: kafka.brokers.join(','),
  KAFKA_SSL: kafka.tls,
  ...(kafka.saslMechanism ? { KAFKA_SASL_MECHANISM: kafka.saslMechanism } : {}),
});

import { SERVICE_NAMES } from '../../../deploy/local/stack/stack-file.js';
import { join } from 'node:path';
import { parse } from 'yaml';
import { textOf } from '@po/testing/documents';
import { CHART, type Rendering, type Resource, filesOf, rendered, resourcesIn } from '../chart.js';

// The values that a property reads are those that values.yaml has.
export type Values = Record<string, any>;

/** What the chart renders with one set of values. */
export interface Rendered {
  rendering: Rendering;
  /** All values, also those that the set does not change. */
  values: Values;
  resources: Resource[];
  /** The folder of the chart, to render it with other values. */
  chart: string;
}

/** The versions that the chart says. */
export const { version: CHART_VERSION, appVersion: APP_VERSION } = parse(textOf(join(CHART, 'Chart.yaml'))) as Record<
  'version' | 'appVersion',
  string
>;

/** A change of a file of the chart: the first text becomes the second. */
export type Change = [file: string, from: string | RegExp, to: string];

/** What holds of every rendering, and changes of the chart each of which breaks it in one rendering or more. */
export interface Property {
  title: string;
  check: (rendered: Rendered) => void | Promise<void>;
  brokenBy: [Change, ...Change[]];
}

export const property = (title: string, check: Property['check'], ...brokenBy: Property['brokenBy']): Property => ({
  title,
  check,
  brokenBy,
});

const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

/** As Helm merges values: maps by their members, everything else as a whole. */
function merged(below: Values, above: Values = {}): Values {
  const result = { ...below };
  for (const [name, value] of Object.entries(above))
    result[name] = isMap(value) && isMap(below[name]) ? merged(below[name], value) : value;
  return result;
}

/** Renders a chart, which may be a changed copy; `values` are always those of the repository. */
export async function render(rendering: Rendering, chart = CHART, args: readonly string[] = []): Promise<Rendered> {
  const files = [join(CHART, 'values.yaml'), ...filesOf(rendering)];
  const values = files.map((file) => parse(textOf(file)) as Values).reduce((below, above) => merged(below, above));
  return { rendering, values, chart, resources: resourcesIn(await rendered(rendering, chart, args)) };
}

/** What the names of a rendering begin with. */
export const fullName = ({ values }: Rendered): string => values['fullnameOverride'] || 'po-po-collaboration';

/** The one resource of a kind with this name, or nothing. */
export const find = (rendered: Rendered, kind: string, name: string): Resource | undefined =>
  rendered.resources.find((resource) => resource.kind === kind && resource.metadata.name === name);

export const ofKind = ({ resources }: Rendered, kind: string): Resource[] =>
  resources.filter((resource) => resource.kind === kind);

/** One service of a rendering. */
export interface Service extends Rendered {
  /** As in values.yaml. */
  key: string;
  /** As in names and labels. */
  component: string;
  /** Its own values over those of all services. */
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
  /** As its container. */
  name: string;
  /** Whose image it runs, as in values.yaml. */
  imageOf: string;
  /** As in the certificates of values.yaml. */
  client: string;
  command: string[];
  own: { config: Values; secrets: Values };
  job: Resource;
  pod: Values;
  container: Values;
}

/** Services with a database, by their keys in the values. */
export const DATABASES = ['purchaseOrders', 'notifications', 'mail'] as const;

export function jobsOf(rendered: Rendered): Job[] {
  const { values } = rendered;
  const { OTEL_EXPORTER_OTLP_HEADERS: _, ...secrets } = values['secrets'] as Values;
  const { LOG_LEVEL, KAFKA_SASL_USERNAME } = values['config'] as Values;
  const user = KAFKA_SASL_USERNAME === undefined ? {} : { KAFKA_SASL_USERNAME };
  const topics = {
    name: 'topics',
    imageOf: 'purchaseOrders',
    client: 'topics',
    command: ['node', '../../libs/messaging/dist/topics/create-topics.js'],
    own: {
      config: { ...kafkaSettings(values), LOG_LEVEL, ...user, ...values['topics'].config },
      secrets: { ...secrets, ...values['topics'].secrets },
    },
  };
  const migrations = DATABASES.map((key) => ({
    name: `migrate-${SERVICE_NAMES[key]}`,
    imageOf: key,
    client: `${key}Migrations`,
    command: ['node', 'dist/migrate.js'],
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

/** The variables by which every program finds Kafka. */
export const kafkaSettings = ({ kafka }: Values): Values => ({
  KAFKA_BROKERS: kafka.brokers.join(','),
  KAFKA_SSL: kafka.tls,
  ...(kafka.saslMechanism ? { KAFKA_SASL_MECHANISM: kafka.saslMechanism } : {}),
});

import { TOPIC_MANIFEST } from '@po/contracts';

/** A JSON Schema without static types for its keywords. */
export type Schema = Record<string, unknown>;

export const reference = (name: string): Schema => ({ $ref: `#/definitions/${name}` });
/** Reference to the schema of another value, by the path of that schema. */
export const propertyReference = (path: string): Schema => ({ $ref: `#/properties/${path}` });
export const bool: Schema = { type: 'boolean' };
export const text = (pattern: string): Schema => ({ type: 'string', pattern });
export const choice = (...values: string[]): Schema => ({ enum: values });
export const array = (items: Schema): Schema => ({ type: 'array', items });
export const integer = (minimum: number, maximum?: number): Schema => ({ type: 'integer', minimum, maximum });

/** An object with only these properties. */
export const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  additionalProperties: false,
  ...(required.length > 0 ? { required } : {}),
  properties,
});

const NAME = '[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?';
/** Maximum partitions of all topics that consumer groups read; groups do not read the reply topic. */
const PARTITIONS = Math.max(
  ...TOPIC_MANIFEST.filter(({ topic }) => topic !== 'rpc.replies.v1').map(({ partitions }) => partitions),
);

const ofConsumers: Schema = {
  description: 'replicas beyond the partitions of a topic read nothing',
  ...integer(1, PARTITIONS),
};
const cpuScaling = (maxReplicas: Schema): Schema =>
  object({ enabled: bool, minReplicas: integer(1, 100), maxReplicas, averageUtilization: integer(10, 100) });

export const DEFINITIONS: Record<string, Schema> = {
  name: { description: 'the name of an object in the cluster', ...text(`^${NAME}$`) },
  nameOrNothing: text(`^(${NAME})?$`),
  texts: {
    description: 'labels, annotations or a node selector',
    type: 'object',
    additionalProperties: { type: 'string' },
  },
  secretKey: {
    description: 'the Secret with the value, and its key',
    ...object({ name: reference('name'), key: reference('key') }, ['name', 'key']),
  },
  key: { description: 'of a Secret or ConfigMap', ...text('^[-._a-zA-Z0-9]+$') },
  bundle: {
    description: 'CA certificates, under a key of a ConfigMap or of a Secret',
    ...object({ configMap: reference('nameOrNothing'), secret: reference('nameOrNothing'), key: reference('key') }),
  },
  image: object({ repository: text('^[a-z0-9][a-z0-9._/-]*$'), digest: text('^(sha256:[a-f0-9]{64})?$') }, [
    'repository',
  ]),
  cpu: { type: ['string', 'integer'], pattern: String.raw`^([1-9][0-9]*m|[0-9]+(\.[0-9]+)?)$`, minimum: 1 },
  memory: text('^[1-9][0-9]*(Mi|Gi)$'),
  resources: object({ requests: reference('amounts'), limits: reference('amounts') }),
  amounts: object({ cpu: reference('cpu'), memory: reference('memory'), 'ephemeral-storage': reference('memory') }),
  probe: object({
    initialDelaySeconds: integer(0, 60),
    periodSeconds: integer(1, 60),
    timeoutSeconds: integer(1, 30),
    failureThreshold: integer(1, 600),
  }),
  gatewayScaling: cpuScaling(integer(1, 100)),
  cpuScaling: cpuScaling(ofConsumers),
  lagScaling: object({
    enabled: bool,
    minReplicas: integer(1, PARTITIONS),
    maxReplicas: ofConsumers,
    lagThreshold: { description: 'records that one replica may be behind', ...integer(1) },
  }),
  spread: choice('ScheduleAnyway', 'DoNotSchedule'),
  variable: object(
    { name: text('^[A-Za-z_][A-Za-z0-9_]*$'), value: { type: 'string' }, valueFrom: { type: 'object' } },
    ['name'],
  ),
  peers: array({
    description: 'as in a NetworkPolicy',
    minProperties: 1,
    ...object({
      namespaceSelector: { type: 'object' },
      podSelector: { type: 'object' },
      ipBlock: object({ cidr: text('^[0-9a-fA-F.:]+/[0-9]{1,3}$'), except: array({ type: 'string' }) }, ['cidr']),
    }),
  }),
  port: integer(1, 65_535),
  destination: object({ to: reference('peers'), ports: array(reference('port')) }),
  monitor: object({ enabled: bool, interval: text('^[1-9][0-9]*(s|m)$'), labels: reference('texts') }),
};

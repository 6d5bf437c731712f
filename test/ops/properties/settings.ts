import { expect } from '@jest/globals';
import {
  DATABASES,
  type Job,
  type Rendered,
  type Service,
  type Values,
  eachJob,
  eachService,
  fullName,
  jobsOf,
  kafkaSettings,
  ofKind,
  property,
  render,
  servicesOf,
} from './property.js';

/** Settings with paths of certificate files, by store. */
const CERTIFICATE_SETTINGS = {
  kafka: { ca: 'KAFKA_SSL_CA_FILE', cert: 'KAFKA_SSL_CERT_FILE', key: 'KAFKA_SSL_KEY_FILE' },
  postgresql: { ca: 'PGSSLROOTCERT', cert: 'PGSSLCERT', key: 'PGSSLKEY' },
  redis: { ca: 'REDIS_TLS_CA_FILE', cert: 'REDIS_TLS_CERT_FILE', key: 'REDIS_TLS_KEY_FILE' },
};

/** Secrets of the mail service that are mounted as files. */
const OF_MAIL: Record<string, string> = { DKIM_KEY_FILE: 'dkim.key', SMTP_PASSWORD_FILE: 'password' };

/** An entry of a Secret or ConfigMap that is mounted as a file, and the setting with its path. */
interface MountedFile {
  store: string;
  variable: string;
  file: string;
  source: Values;
}

/** Certificate and password files of a program. `client` is its key in the certificate clients of values.yaml. */
function filesOf(values: Values, client: string, secrets: Values): MountedFile[] {
  const mounted = (
    variable: string,
    store: string,
    file: string,
    kind: string,
    { name, key }: Values,
  ): MountedFile => ({
    store,
    variable,
    file,
    source: { [kind]: { name, items: [{ key, path: file }] } },
  });
  const files = Object.entries(CERTIFICATE_SETTINGS).flatMap(([store, variables]) => {
    const { ca, clients, keys } = values[store].certificates as Values;
    const files: MountedFile[] = [];
    if (client in clients) {
      const { key } = ca;
      if (ca.configMap) files.push(mounted(variables.ca, store, 'ca.crt', 'configMap', { name: ca.configMap, key }));
      if (ca.secret) files.push(mounted(variables.ca, store, 'ca.crt', 'secret', { name: ca.secret, key }));
      const name = clients[client] as string;
      if (name) files.push(mounted(variables.cert, store, 'tls.crt', 'secret', { name, key: keys.cert }));
      if (name) files.push(mounted(variables.key, store, 'tls.key', 'secret', { name, key: keys.key }));
    }
    const password = secrets['KAFKA_SASL_PASSWORD'] as Values | undefined;
    if (store === 'kafka' && values['kafka'].saslMechanism && password)
      files.push(mounted('KAFKA_SASL_PASSWORD_FILE', store, 'password', 'secret', password));
    return files;
  });
  for (const [variable, file] of Object.entries(OF_MAIL)) {
    const secret = secrets[variable] as Values | undefined;
    if (secret) files.push(mounted(variable, 'smtp', file, 'secret', secret));
  }
  return files;
}

const filesOfService = ({ values, key, own }: Service) => filesOf(values, key, own['secrets']);
const filesOfJob = ({ values, client, own }: Job) => filesOf(values, client, own.secrets);

const fileSettings = (files: MountedFile[]): Values =>
  Object.fromEntries(files.map(({ store, variable, file }) => [variable, `/etc/po/${store}/${file}`]));

const variablesOf = (settings: Values): Values[] =>
  Object.entries(settings).map(([name, value]) => ({ name, value: String(value).replaceAll('$', '$$$$') }));

/** Variables with the settings of a service. */
const settingsOf = (service: Service): Values[] =>
  variablesOf({
    ...kafkaSettings(service.values),
    ...fileSettings(filesOfService(service)),
    ...(DATABASES.some((one) => one === service.key) ? { PGSSLMODE: service.values['postgresql'].tls } : {}),
    ...service.own['config'],
  });

const IN_FILES = ['KAFKA_SASL_PASSWORD', ...Object.keys(OF_MAIL)];

/** Variables for all secrets except those that are mounted as files: the Kafka password and the secrets of the mail service. */
const secretVariables = (secrets: Values): Values[] =>
  Object.entries(secrets)
    .filter(([variable]) => !IN_FILES.includes(variable))
    .map(([variable, { name, key }]) => ({ name: variable, valueFrom: { secretKeyRef: { name, key } } }));

const trustVariable = ({ trust }: Values): Values[] =>
  trust.configMap || trust.secret ? [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/po/trust/ca.crt' }] : [];

const byName = (variables: readonly Values[]): Values[] =>
  variables.toSorted((a, b) => String(a['name']).localeCompare(String(b['name'])));

/** Volumes and mounts of a pod for these files. */
function volumesOf({ trust }: Values, files: readonly MountedFile[]): { mounts: Values[]; volumes: Values[] } {
  const mounts: Values[] = [{ name: 'tmp', mountPath: '/tmp' }];
  const volumes: Values[] = [{ name: 'tmp', emptyDir: { sizeLimit: '32Mi' } }];
  const items = [{ key: trust.key, path: 'ca.crt' }];
  if (trust.configMap) volumes.push({ name: 'trust', configMap: { name: trust.configMap, items } });
  if (trust.secret) volumes.push({ name: 'trust', secret: { secretName: trust.secret, items } });
  for (const store of [...Object.keys(CERTIFICATE_SETTINGS), 'smtp']) {
    const sources = files.filter((file) => file.store === store).map(({ source }) => source);
    if (sources.length > 0) volumes.push({ name: store, projected: { sources } });
  }
  for (const { name } of volumes.slice(1)) mounts.push({ name, mountPath: `/etc/po/${name}`, readOnly: true });
  return { mounts, volumes };
}

/** Hook annotations by object, for objects that have any. */
const hooksOf = ({ resources }: Rendered): Values =>
  Object.fromEntries(
    resources.flatMap(({ kind, metadata }) => {
      const { annotations: { 'helm.sh/hook': hook, ...others } = {} } = metadata;
      if (!hook) return [];
      const { 'helm.sh/hook-weight': weight, 'helm.sh/hook-delete-policy': policy } = others;
      return [[`${kind} ${metadata.name}`, `${hook} ${weight} ${policy}`]];
    }),
  );

export const SETTING_PROPERTIES = [
  property(
    'pods of services with different settings have different checksums, and equal settings give equal checksums',
    (rendered) => {
      const pairs = servicesOf(rendered).map((service) => [
        JSON.stringify(byName(settingsOf(service))),
        String(service.deployment['spec'].template.metadata.annotations['checksum/config']),
      ]);
      for (const [, sum] of pairs) expect(sum).toMatch(/^[a-f0-9]{64}$/);
      const distinct = new Set(pairs.map((pair) => pair.join(' '))).size;
      expect([new Set(pairs.map(([data]) => data)).size, new Set(pairs.map(([, sum]) => sum)).size]).toEqual([
        distinct,
        distinct,
      ]);
    },
  ),
  property(
    'the pods of a service have the variables from its values themselves, not in a ConfigMap, and each secret as a reference',
    eachService((service) => {
      const { component, values, own, container } = service;
      expect(container['envFrom']).toBeUndefined();
      const { oldSpace, semiSpace } = own['heap'] as Values;
      const heap = `--max-old-space-size=${oldSpace} --max-semi-space-size=${semiSpace}`;
      expect([component, ...byName(container['env'])]).toEqual([
        component,
        ...byName([
          { name: 'INSTANCE_ID', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'NODE_OPTIONS', value: heap },
          ...settingsOf(service),
          ...trustVariable(values),
          ...secretVariables(own['secrets']),
          ...own['extraEnv'],
        ]),
      ]);
    }),
  ),
  property(
    'a job runs its program with only its own settings and secrets',
    eachJob((job) => {
      const { name, values, own, command, container } = job;
      expect([name, container['command']]).toEqual([name, command]);
      expect([name, ...byName(container['env'])]).toEqual([
        name,
        ...byName([
          ...variablesOf({ ...own.config, ...fileSettings(filesOfJob(job)) }),
          ...trustVariable(values),
          ...secretVariables(own.secrets),
        ]),
      ]);
    }),
  ),
  property('with trust, which is read only at start, each store has its own certificates.ca', ({ values }) => {
    const { configMap, secret } = values['trust'] as Values;
    if (!configMap && !secret) return;
    for (const store of Object.keys(CERTIFICATE_SETTINGS)) {
      const { ca } = values[store].certificates as Values;
      expect([store, ca.configMap || ca.secret]).not.toContain('');
    }
  }),
  property(
    'a pod mounts the certificates and passwords of its own client read-only, and the extra volumes from the values',
    (rendered) => {
      const pods = [
        ...servicesOf(rendered).map((service) => ({ ...service, files: filesOfService(service) })),
        ...jobsOf(rendered).map((job) => ({ ...job, component: job.name, files: filesOfJob(job) })),
      ];
      for (const { component, values, own, files, pod, container } of pods) {
        const { mounts, volumes } = volumesOf(values, files);
        const extra = own as Values;
        expect([component, ...container['volumeMounts']]).toEqual([
          component,
          ...mounts,
          ...(extra['extraVolumeMounts'] ?? []),
        ]);
        expect([component, ...pod['volumes']]).toEqual([component, ...volumes, ...(extra['extraVolumes'] ?? [])]);
      }
    },
  ),
  property(
    'jobs run as hooks before everything except the account and network policy that they need, or as plain Jobs',
    (rendered) => {
      const name = fullName(rendered);
      const policy = 'before-hook-creation';
      const needed = ['NetworkPolicy', 'ServiceAccount'].map((kind) => [
        `${kind} ${name}-jobs`,
        `pre-install,pre-upgrade -10 ${policy},hook-succeeded`,
      ]);
      const jobs = jobsOf(rendered).map(({ name: job }) => [
        `Job ${name}-${job}`,
        `pre-install,pre-upgrade 0 ${policy}`,
      ]);
      const { hooks, annotations: added } = rendered.values['jobs'] as Values;
      expect(hooksOf(rendered)).toEqual(hooks ? Object.fromEntries([...needed, ...jobs]) : {});
      for (const { metadata } of ofKind(rendered, 'Job')) expect(metadata.annotations).toMatchObject(added);
    },
  ),
  property(
    'a plain Job gets a new name when its pod changes, because Kubernetes cannot change a Job',
    async (rendered) => {
      const { rendering, values } = rendered;
      if (values['jobs'].hooks) return;
      const namesOf = (each: Rendered) => jobsOf(each).map(({ job }) => job.metadata.name);
      const other = await render(rendering, ['--set', 'jobs.resources.requests.cpu=1']);
      expect(namesOf(other).filter((name) => namesOf(rendered).includes(name))).toEqual([]);
    },
  ),
];

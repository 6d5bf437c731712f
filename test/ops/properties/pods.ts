import { expect } from '@jest/globals';
import {
  APP_VERSION,
  type Values,
  type Rendered,
  eachJob,
  eachService,
  jobsOf,
  property,
  servicesOf,
} from './property.js';

/** Pods of services and jobs, with the values for their scheduling and image. */
const podsOf = (rendered: Rendered) => [
  ...servicesOf(rendered).map(({ component, own, key, pod, container }) => ({
    name: component,
    scheduling: own,
    image: rendered.values[key].image as Values,
    pod,
    container,
  })),
  ...jobsOf(rendered).map(({ name, imageOf, pod, container }) => ({
    name,
    scheduling: rendered.values['defaults'] as Values,
    image: rendered.values[imageOf].image as Values,
    pod,
    container,
  })),
];

/** Permissions of a container: it may only write to its volumes. */
const CONTAINER_SECURITY = {
  allowPrivilegeEscalation: false,
  privileged: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
};

const SIZE = expect.stringMatching(/^\d+(Mi|Gi)$/);

const orNothing = <T>(value: T): T | undefined =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0) ? undefined : value;

export const POD_PROPERTIES = [
  property('a pod is one container without privileges on its node or in the cluster', (rendered) => {
    for (const { name, scheduling, pod, container } of podsOf(rendered)) {
      const { runAsUser, runAsGroup } = scheduling;
      const { automountServiceAccountToken, enableServiceLinks, securityContext, containers } = pod;
      expect({ name, automountServiceAccountToken, enableServiceLinks, securityContext, containers }).toEqual({
        name,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser,
          runAsGroup,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        containers: [expect.objectContaining({ securityContext: CONTAINER_SECURITY })],
      });
      const ofNode = ['hostNetwork', 'hostPID', 'hostIPC', 'initContainers', 'shareProcessNamespace'];
      expect([name, ...ofNode.filter((member) => member in pod)]).toEqual([name]);
      expect(Math.min(runAsUser, runAsGroup)).toBeGreaterThanOrEqual(10_000);
      expect(JSON.stringify([pod['volumes'], container['ports'] ?? []])).not.toMatch(/hostPath|hostPort/);
    }
  }),
  property(
    'a Deployment has the replicas from the values unless an autoscaler sets them, and replaces pods one by one',
    eachService(({ component, own, deployment: { spec } }) => {
      const isScaled = own['autoscaling'].cpu.enabled || own['autoscaling'].lag?.enabled;
      const replicas = isScaled ? undefined : own['replicas'];
      const strategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } };
      expect([component, spec.replicas, spec.revisionHistoryLimit, spec.strategy]).toEqual([
        component,
        replicas,
        5,
        strategy,
      ]);
    }),
  ),
  property('Deployments and pods have the labels and annotations from the values', (rendered) => {
    for (const { component, own, deployment } of servicesOf(rendered)) {
      const { metadata, spec } = deployment;
      expect([component, metadata.annotations]).toEqual([component, orNothing(own['annotations'])]);
      const { labels, annotations } = spec.template.metadata as Values;
      expect([component, labels]).toEqual([component, { ...spec.selector.matchLabels, ...own['podLabels'] }]);
      const { 'checksum/config': _, ...others } = annotations as Values;
      expect([component, others]).toEqual([component, own['podAnnotations']]);
    }
    for (const { name, values, job } of jobsOf(rendered)) {
      const { annotations } = job['spec'].template.metadata as Values;
      expect([name, annotations]).toEqual([name, orNothing(values['jobs'].podAnnotations)]);
    }
  }),
  property('pods of services and jobs are scheduled as the values specify', (rendered) => {
    const secrets = rendered.values['image'].pullSecrets.map((name: string) => ({ name }));
    for (const { name, scheduling, pod } of podsOf(rendered)) {
      const { imagePullSecrets, priorityClassName, nodeSelector, tolerations, affinity } = pod;
      expect({ name, imagePullSecrets, priorityClassName, nodeSelector, tolerations, affinity }).toEqual({
        name,
        imagePullSecrets: orNothing(secrets),
        priorityClassName: orNothing(scheduling['priorityClassName']),
        nodeSelector: orNothing(scheduling['nodeSelector']),
        tolerations: orNothing(scheduling['tolerations']),
        affinity: orNothing(scheduling['affinity']),
      });
    }
  }),
  property(
    'replicas of the new version spread over eligible nodes and zones, as strictly as the values specify',
    eachService(({ component, own, deployment, pod }) => {
      const spread = (topologyKey: string, whenUnsatisfiable: string) => ({
        topologyKey,
        maxSkew: 1,
        whenUnsatisfiable,
        labelSelector: deployment['spec'].selector,
        nodeTaintsPolicy: 'Honor',
        matchLabelKeys: ['pod-template-hash'],
      });
      expect([component, ...pod['topologySpreadConstraints']]).toEqual([
        component,
        spread('kubernetes.io/hostname', own['spread'].hosts),
        spread('topology.kubernetes.io/zone', own['spread'].zones),
      ]);
    }),
  ),
  property('a container runs the image from the values: registry, repository, and digest or tag', (rendered) => {
    const { registry, tag, pullPolicy } = rendered.values['image'] as Values;
    for (const { name, image, container } of podsOf(rendered)) {
      const version = image['digest'] ? `@${image['digest']}` : `:${tag || APP_VERSION}`;
      const expected = `${registry && `${registry}/`}${image['repository']}${version}`;
      expect([name, container['image'], container['imagePullPolicy']]).toEqual([name, expected, pullPolicy]);
      expect(expected).toMatch(/^[a-z0-9./_-]+(:[A-Za-z0-9._-]+|@sha256:[a-f0-9]{64})$/);
      expect(expected).not.toMatch(/:latest$/);
    }
  }),
  property('a container has the resources and heap from the values, including a memory limit', (rendered) => {
    for (const { component, own, container } of servicesOf(rendered)) {
      const { oldSpace, semiSpace } = own['heap'] as Values;
      const options = `--max-old-space-size=${oldSpace} --max-semi-space-size=${semiSpace}`;
      const { value } = container['env'].find(({ name }: Values) => name === 'NODE_OPTIONS') as Values;
      expect([component, container['resources'], value]).toEqual([component, own['resources'], options]);
    }
    for (const { name, values, container } of jobsOf(rendered))
      expect([name, container['resources']]).toEqual([name, values['jobs'].resources]);
    for (const { name, container } of podsOf(rendered)) {
      const { requests, limits } = container['resources'] as Values;
      expect([name, requests, limits]).toEqual([
        name,
        { cpu: expect.stringMatching(/./), memory: SIZE, 'ephemeral-storage': SIZE },
        expect.objectContaining({ memory: SIZE, 'ephemeral-storage': SIZE }),
      ]);
    }
  }),
  property(
    'only the readiness probe depends on stores, and the probes have the periods and limits from the values',
    eachService(({ component, own, container }) => {
      const { startup, liveness, readiness } = own['probes'] as Values;
      const asks = (path: string) => ({ httpGet: { path, port: 'management' } });
      expect([component, container]).toMatchObject([
        component,
        {
          startupProbe: { ...asks('/healthz'), ...startup },
          livenessProbe: { ...asks('/healthz'), ...liveness },
          readinessProbe: { ...asks('/readyz'), ...readiness },
        },
      ]);
    }),
  ),
  property(
    'a pod has the termination grace period from the values',
    eachService(({ component, own, pod }) => {
      const seconds = pod['terminationGracePeriodSeconds'];
      expect([component, seconds]).toEqual([component, own['terminationGracePeriodSeconds']]);
      // Longer than the maximum drain time of a service.
      expect(seconds).toBeGreaterThanOrEqual(45);
    }),
  ),
  property(
    'a container opens the management port, and the gateway also the HTTP port',
    eachService(({ component, container }) => {
      const http = component === 'gateway' ? [{ name: 'http', containerPort: 8080 }] : [];
      const ports = [...http, { name: 'management', containerPort: 9464 }];
      expect([component, container['ports']]).toEqual([component, ports]);
    }),
  ),
  property(
    'a job has the retries and deadline from the values, and fails without retries if a setting is wrong (exit code 78)',
    eachJob(({ name, values, job }) => {
      const { hooks, backoffLimit, activeDeadlineSeconds, ttlSecondsAfterFinished } = values['jobs'] as Values;
      const onExitCodes = { containerName: name, operator: 'In', values: [78] };
      expect(job['spec']).toMatchObject({
        backoffLimit,
        activeDeadlineSeconds,
        podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes }] },
        template: { spec: { restartPolicy: 'Never' } },
      });
      expect(job['spec'].ttlSecondsAfterFinished).toBe(hooks ? ttlSecondsAfterFinished : undefined);
    }),
  ),
];

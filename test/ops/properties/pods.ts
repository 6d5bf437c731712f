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

const DEPLOYMENTS = 'templates/deployments.yaml';
const POD = 'templates/_pod.tpl';

/** Services and jobs: `values`: what says where their pods go and how they are built. */
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

const orNothing = <T>(value: T): T | undefined =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0) ? undefined : value;

export const POD_PROPERTIES = [
  property(
    'a Deployment has as many replicas as the values say, or leaves them to an autoscaler, and keeps 5 revisions',
    eachService(({ component, own, deployment: { spec } }) => {
      const isScaled = own['autoscaling'].cpu.enabled || own['autoscaling'].lag?.enabled;
      const replicas = isScaled ? undefined : own['replicas'];
      expect([component, spec.replicas, spec.revisionHistoryLimit]).toEqual([component, replicas, 5]);
    }),
    [DEPLOYMENTS, 'replicas: {{ $service.replicas }}', 'replicas: 2'],
    [DEPLOYMENTS, 'if not (include "po.isScaled" $service)', 'if true'],
    [DEPLOYMENTS, 'revisionHistoryLimit: 5', 'revisionHistoryLimit: 10'],
  ),
  property(
    'labels and annotations of the values are on Deployments and pods',
    (rendered) => {
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
    },
    [DEPLOYMENTS, 'with $service.annotations', 'with $service.podAnnotations'],
    [DEPLOYMENTS, 'with $service.podLabels', 'with $service.labels'],
    [DEPLOYMENTS, '        {{- with $service.podAnnotations }}', '        {{- with $service.annotations }}'],
    ['templates/_jobs.tpl', 'Values.jobs.podAnnotations', 'Values.defaults.podAnnotations'],
  ),
  property(
    'pods of services and jobs are scheduled where the values say',
    (rendered) => {
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
    },
    [POD, '.root.Values.image.pullSecrets', '.service.pullSecrets'],
    [POD, 'with .service.priorityClassName', 'with .service.priority'],
    [POD, 'with .service.nodeSelector', 'with .service.selector'],
    [POD, 'with .service.tolerations', 'with .service.toleration'],
    [POD, 'with .service.affinity', 'with .service.affinities'],
    ['templates/_jobs.tpl', 'include "po.scheduling" (dict "root" .root "service" .root.Values.defaults)', '""'],
  ),
  property(
    'replicas of the new version spread over nodes and zones that take them, as strictly as the values say',
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
    [POD, '"kubernetes.io/hostname" .service.spread.hosts', '"kubernetes.io/hostname" .service.spread.zones'],
    [POD, 'maxSkew: 1', 'maxSkew: 2'],
    [POD, 'nodeTaintsPolicy: Honor', 'nodeTaintsPolicy: Ignore'],
    [POD, 'matchLabelKeys: [pod-template-hash]', 'matchLabelKeys: []'],
  ),
  property(
    'a container runs the image of the values: registry, repository, digest or else tag',
    (rendered) => {
      const { registry, tag, pullPolicy } = rendered.values['image'] as Values;
      for (const { name, image, container } of podsOf(rendered)) {
        const version = image['digest'] ? `@${image['digest']}` : `:${tag || APP_VERSION}`;
        const expected = `${registry && `${registry}/`}${image['repository']}${version}`;
        expect([name, container['image'], container['imagePullPolicy']]).toEqual([name, expected, pullPolicy]);
      }
    },
    ['templates/_names.tpl', 'with .root.Values.image.registry', 'with ""'],
    ['templates/_names.tpl', '.root.Values.image.tag | default .root.Chart.AppVersion', '.root.Chart.AppVersion'],
    ['templates/jobs.yaml', '"image" .Values.purchaseOrders.image', '"image" .Values.gateway.image'],
    ['templates/jobs.yaml', '"image" $service.image', '"image" $.Values.gateway.image'],
    [DEPLOYMENTS, 'imagePullPolicy: {{ $.Values.image.pullPolicy }}', 'imagePullPolicy: IfNotPresent'],
    ['templates/_jobs.tpl', 'imagePullPolicy: {{ .root.Values.image.pullPolicy }}', 'imagePullPolicy: IfNotPresent'],
  ),
  property(
    'a container has the resources, heap and user of the values',
    (rendered) => {
      for (const { component, own, container } of servicesOf(rendered)) {
        const { oldSpace, semiSpace } = own['heap'] as Values;
        const options = `--max-old-space-size=${oldSpace} --max-semi-space-size=${semiSpace}`;
        const { value } = container['env'].find(({ name }: Values) => name === 'NODE_OPTIONS') as Values;
        expect([component, container['resources'], value]).toEqual([component, own['resources'], options]);
      }
      for (const { name, values, container } of jobsOf(rendered))
        expect([name, container['resources']]).toEqual([name, values['jobs'].resources]);
      for (const { name, scheduling, pod } of podsOf(rendered)) {
        const { runAsUser, runAsGroup } = scheduling;
        expect([name, pod['securityContext']]).toMatchObject([name, { runAsUser, runAsGroup }]);
      }
    },
    [DEPLOYMENTS, 'toYaml $service.resources', 'toYaml $.Values.defaults.resources'],
    [DEPLOYMENTS, '--max-old-space-size={{ $service.heap.oldSpace }}', '--max-old-space-size=320'],
    [DEPLOYMENTS, '--max-semi-space-size={{ $service.heap.semiSpace }}', '--max-semi-space-size=64'],
    ['templates/_jobs.tpl', 'toYaml .root.Values.jobs.resources', 'toYaml .root.Values.defaults.resources'],
    [POD, 'include "po.text" .runAsUser', '20000'],
    [POD, 'include "po.text" .runAsGroup', '20000'],
  ),
  property(
    'the probes have the periods and limits of the values',
    eachService(({ component, own, container }) => {
      const probes = ['startup', 'liveness', 'readiness'].map((kind) => {
        const { httpGet: _, ...settings } = container[`${kind}Probe`] as Values;
        return [kind, settings] as const;
      });
      expect([component, Object.fromEntries(probes)]).toEqual([component, own['probes']]);
    }),
    [DEPLOYMENTS, 'settings" $service.probes.startup', 'settings" $service.probes.liveness'],
    [DEPLOYMENTS, 'settings" $service.probes.liveness', 'settings" $service.probes.readiness'],
    [DEPLOYMENTS, 'settings" $service.probes.readiness', 'settings" $service.probes.startup'],
  ),
  property(
    'a pod has the time of the values until it is killed',
    eachService(({ component, own, pod }) => {
      const seconds = pod['terminationGracePeriodSeconds'];
      expect([component, seconds]).toEqual([component, own['terminationGracePeriodSeconds']]);
    }),
    [DEPLOYMENTS, '{{ $service.terminationGracePeriodSeconds }}', '60'],
  ),
  property(
    'a container opens the management port, and that of the gateway the HTTP API too',
    eachService(({ component, container }) => {
      const http = component === 'gateway' ? [{ name: 'http', containerPort: 8080 }] : [];
      const ports = [...http, { name: 'management', containerPort: 9464 }];
      expect([component, container['ports']]).toEqual([component, ports]);
    }),
    [DEPLOYMENTS, 'if eq $component "gateway"', 'if true'],
    [DEPLOYMENTS, 'containerPort: 8080', 'containerPort: 8081'],
  ),
  property(
    'a job gives up as the values say, and at once when a setting is wrong (exit code 78)',
    eachJob(({ name, values, job }) => {
      const { hooks, backoffLimit, activeDeadlineSeconds, ttlSecondsAfterFinished } = values['jobs'] as Values;
      const onExitCodes = { containerName: name, operator: 'In', values: [78] };
      expect(job['spec']).toMatchObject({
        backoffLimit,
        activeDeadlineSeconds,
        ...(hooks ? { ttlSecondsAfterFinished } : {}),
        podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes }] },
        template: { spec: { restartPolicy: 'Never' } },
      });
    }),
    ['templates/jobs.yaml', 'backoffLimit: {{ $.Values.jobs.backoffLimit }}', 'backoffLimit: 6'],
    ['templates/jobs.yaml', '{{ include "po.text" $.Values.jobs.activeDeadlineSeconds }}', '60'],
    ['templates/jobs.yaml', '{{ include "po.text" $.Values.jobs.ttlSecondsAfterFinished }}', '60'],
    ['templates/jobs.yaml', 'values: [78]', 'values: [1]'],
    ['templates/_jobs.tpl', 'restartPolicy: Never', 'restartPolicy: OnFailure'],
  ),
];

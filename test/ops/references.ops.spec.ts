import { describe, expect, it } from '@jest/globals';
import { CHART, NAMES, type Resource, rendered, resourcesIn } from './chart.js';
import { SERVICES } from '../../deploy/local/stack/stack-file.js';
import { runTool } from '../../deploy/tools/fixtures/ops-tools.js';

type Labels = Record<string, string>;

interface Pod {
  of: string;
  labels: Labels;
  ports: string[];
  serviceAccount: string;
  isHook: boolean;
}

const idOf = ({ kind, metadata }: Resource): string => `${kind} ${metadata.name}`;
const isHook = ({ metadata }: Resource): boolean => metadata.annotations?.['helm.sh/hook'] !== undefined;
const componentOf = ({ metadata }: Resource): string | undefined => metadata.labels['app.kubernetes.io/component'];

function podsIn(resources: readonly Resource[]): Pod[] {
  return resources
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map((resource) => {
      const { metadata, spec } = resource['spec'].template;
      const [container] = spec.containers as { ports?: { name: string }[] }[];
      return {
        of: componentOf(resource) ?? '',
        labels: metadata.labels as Labels,
        ports: (container?.ports ?? []).map(({ name }) => name),
        serviceAccount: spec.serviceAccountName as string,
        isHook: isHook(resource),
      };
    });
}

const matches = (selector: Labels, labels: Labels): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

/** Labels by which a resource selects pods; undefined if it does not. */
const selectorOf = ({ kind, spec }: Resource): Labels | undefined => {
  if (kind === 'Service') return spec.selector as Labels;
  if (kind === 'Deployment' || kind === 'PodDisruptionBudget' || kind === 'PodMonitor')
    return spec.selector.matchLabels as Labels;
  return kind === 'NetworkPolicy' ? (spec.podSelector.matchLabels as Labels) : undefined;
};

describe.each(NAMES)('in the %s rendering', (name) => {
  const all = async () => resourcesIn(await rendered(name));

  it('every object name is unique, valid and in the same namespace', async () => {
    const resources = await all();
    const ids = resources.map(idOf);
    expect(ids).toEqual([...new Set(ids)]);
    expect(resources.filter(({ metadata }) => !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(metadata.name))).toEqual([]);
    expect(new Set(resources.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['purchase-orders']));
  });

  it('every selector matches only pods of its own component', async () => {
    const resources = await all();
    const pods = podsIn(resources);
    const selecting = resources.filter((resource) => selectorOf(resource));
    expect(selecting.length).toBeGreaterThan(10);
    for (const resource of selecting) {
      const found = pods.filter(({ labels }) => matches(selectorOf(resource) ?? {}, labels)).map(({ of }) => of);
      const component = componentOf(resource);
      const expected = component ? new Set([component]) : new Set(pods.map(({ of }) => of));
      expect([idOf(resource), new Set(found)]).toEqual([idOf(resource), expected]);
    }
  });

  it('Services target ports that the containers open', async () => {
    const resources = await all();
    const pods = podsIn(resources);
    for (const service of resources.filter(({ kind }) => kind === 'Service')) {
      const [pod] = pods.filter(({ labels }) => matches(service['spec'].selector as Labels, labels));
      for (const { targetPort } of service['spec'].ports as { targetPort: string }[])
        expect(pod?.ports).toContain(targetPort);
    }
  });

  it('autoscalers, Ingresses and monitors refer to existing objects', async () => {
    const resources = await all();
    const ids = new Set(resources.map(idOf));
    const named = resources.flatMap(({ kind, spec }) => {
      if (kind === 'HorizontalPodAutoscaler' || kind === 'ScaledObject')
        return [`Deployment ${spec.scaleTargetRef.name}`];
      if (kind === 'Ingress') return [`Service ${spec.rules[0].http.paths[0].backend.service.name}`];
      return [];
    });
    const authentications = resources
      .filter(({ kind }) => kind === 'ScaledObject')
      .flatMap(({ spec }) =>
        (spec.triggers as { authenticationRef?: { name: string } }[]).map(({ authenticationRef }) => authenticationRef),
      )
      .flatMap((reference) => (reference ? [`TriggerAuthentication ${reference.name}`] : []));
    expect([...named, ...authentications].filter((id) => !ids.has(id))).toEqual([]);
    const monitor = resources.find(({ kind }) => kind === 'ServiceMonitor');
    const watched = resources.filter(
      ({ kind, metadata }) =>
        kind === 'Service' && monitor && matches(monitor['spec'].selector.matchLabels as Labels, metadata.labels),
    );
    expect(watched).toHaveLength(monitor ? SERVICES.length : 0);
  });

  it('hooks depend only on objects that are hooks themselves', async () => {
    const resources = await all();
    const pods = podsIn(resources).filter((pod) => pod.isHook);
    const hooks = new Set(resources.filter(isHook).map(idOf));
    expect(pods.filter(({ serviceAccount }) => !hooks.has(`ServiceAccount ${serviceAccount}`))).toEqual([]);
    const egressPolicies = resources.filter(({ kind, spec }) => kind === 'NetworkPolicy' && spec.egress).filter(isHook);
    expect(egressPolicies).toHaveLength(pods.length > 0 ? 1 : 0);
  });

  it('the chart creates the service accounts of pods, except for external ones', async () => {
    const resources = await all();
    const accounts = new Set(resources.map(idOf));
    const missing = podsIn(resources)
      .map(({ serviceAccount }) => serviceAccount)
      .filter((account) => !accounts.has(`ServiceAccount ${account}`));
    expect(missing).toEqual(name === 'everything' ? ['someone'] : []);
  });
});

describe('a release name of maximum length', () => {
  it('keeps every object name unique and within 63 characters', async () => {
    const release = 'r'.repeat(53);
    const names = resourcesIn(await runTool('helm', ['template', release, CHART, '--set', 'jobs.hooks=false'])).map(
      idOf,
    );
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => (name.split(' ')[1] ?? '').length > 63)).toEqual([]);
  });
});

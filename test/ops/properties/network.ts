import { expect } from '@jest/globals';
import type { Rendering } from '../chart.js';
import { type Rendered, type Values, eachService, find, fullName, ofKind, property } from './property.js';

/** Stores that each component may reach in addition to DNS and Kafka. */
const STORES: Record<string, readonly string[]> = {
  gateway: ['redis', 'identityProvider'],
  'purchase-orders': ['postgresql'],
  notifications: ['postgresql', 'redis'],
  dashboard: ['redis'],
  mail: ['postgresql'],
  jobs: ['postgresql'],
};

/** Ports in the addresses of brokers, identity provider, collector and mail server, unless the values name others. */
const PORTS: Record<Rendering, Record<string, readonly number[]>> = {
  default: { kafka: [9093], identityProvider: [443] },
  dev: { kafka: [9092], identityProvider: [8090] },
  prod: { kafka: [9093], identityProvider: [443], smtp: [587] },
  everything: { otlp: [4318], smtp: [465] },
};

/** Paths of the Ingress: all paths if the gateway serves the portal. */
const INGRESS_PATHS: Partial<Record<Rendering, string[]>> = { prod: ['/'], everything: ['/api', '/unsubscribe'] };

function egressOf({ rendering, values }: Rendered, component: string): Values[] {
  const policy = values['networkPolicy'] as Values;
  const derived: Record<string, readonly number[]> = PORTS[rendering];
  const rule = (name: string, protocols = ['TCP']) => {
    const { to, ports } = policy[name] as { to: Values[]; ports: number[] };
    const numbers = ports.length > 0 ? ports : (derived[name] ?? []);
    const all = numbers.flatMap((port) => protocols.map((protocol) => ({ port, protocol })));
    return { ports: all, ...(to.length > 0 ? { to } : {}) };
  };
  const isTraced = component !== 'jobs' && PORTS[rendering]['otlp'] !== undefined;
  const mails = component === 'mail' && PORTS[rendering]['smtp'] !== undefined;
  return [
    rule('dns', ['UDP', 'TCP']),
    rule('kafka'),
    ...(STORES[component] ?? []).map((store) => rule(store)),
    ...(isTraced ? [rule('otlp')] : []),
    ...(mails ? [rule('smtp')] : []),
    ...policy['extraEgress'],
  ];
}

export const NETWORK_PROPERTIES = [
  property('traffic without a rule is denied in both directions, and nothing may connect to jobs', (rendered) => {
    const name = fullName(rendered);
    const policies = ofKind(rendered, 'NetworkPolicy');
    for (const { metadata, spec } of policies)
      expect([metadata.name, spec.policyTypes]).toEqual([metadata.name, ['Ingress', 'Egress']]);
    const without = (rule: string) => policies.filter(({ spec }) => !(rule in spec)).map((one) => one.metadata.name);
    expect(without('egress')).toEqual([`${name}-default-deny`]);
    expect(without('ingress').toSorted()).toEqual([`${name}-default-deny`, `${name}-jobs`]);
  }),
  property(
    'a component may reach only DNS, Kafka and its own stores, at the peers and ports from the values',
    (rendered) => {
      for (const component of Object.keys(STORES)) {
        const policy = find(rendered, 'NetworkPolicy', `${fullName(rendered)}-${component}`);
        expect([component, policy?.['spec'].egress]).toEqual([component, egressOf(rendered, component)]);
      }
    },
  ),
  property(
    'the gateway accepts the peers in gatewayFrom, and the management ports those in managementFrom',
    eachService((service) => {
      const { component, values } = service;
      const { gatewayFrom, managementFrom } = values['networkPolicy'] as Values;
      const rule = (port: string, from: Values[]) => ({ ports: [{ port, protocol: 'TCP' }], from });
      const http = component === 'gateway' ? [rule('http', gatewayFrom)] : [];
      const policy = find(service, 'NetworkPolicy', `${fullName(service)}-${component}`);
      expect([component, policy?.['spec'].ingress]).toEqual([component, [...http, rule('management', managementFrom)]]);
    }),
  ),
  property('the Service of the gateway has the type, port and annotations from the values', (rendered) => {
    const { type, port, annotations } = rendered.values['gateway'].service as Values;
    const service = find(rendered, 'Service', `${fullName(rendered)}-gateway`);
    expect(service?.metadata.annotations ?? {}).toEqual(annotations);
    expect(service?.['spec']).toMatchObject({
      type,
      ports: [{ name: 'http', port, targetPort: 'http', appProtocol: 'http' }],
    });
  }),
  property(
    'the metrics of every pod can be read even before the pod is ready',
    eachService((service) => {
      const management = find(service, 'Service', `${fullName(service)}-${service.component}-management`);
      expect(management?.metadata.labels).toMatchObject({ 'po-collaboration/port': 'management' });
      expect(management?.['spec']).toMatchObject({
        type: 'ClusterIP',
        clusterIP: 'None',
        publishNotReadyAddresses: true,
        ports: [{ name: 'management', port: 9464, targetPort: 'management', appProtocol: 'http' }],
      });
    }),
  ),
  property(
    'the Ingress routes to the gateway with the host, path, class, annotations and certificate from the values',
    (rendered) => {
      const { enabled, className, host, annotations, tls } = rendered.values['ingress'] as Values;
      const [ingress, ...others] = ofKind(rendered, 'Ingress');
      expect([ingress !== undefined, others]).toEqual([enabled, []]);
      if (!ingress) return;
      const service = { name: `${fullName(rendered)}-gateway`, port: { name: 'http' } };
      const paths = INGRESS_PATHS[rendered.rendering]?.map((path) => ({
        path,
        pathType: 'Prefix',
        backend: { service },
      }));
      expect(ingress.metadata.annotations ?? {}).toEqual(annotations);
      expect(ingress['spec']).toEqual({
        ingressClassName: className,
        rules: [{ host, http: { paths } }],
        tls: [{ hosts: [host], secretName: tls.secretName }],
      });
    },
  ),
];

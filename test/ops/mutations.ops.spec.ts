import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '@po/testing/documents';
import { CHART, NAMES, faultsOf } from './chart.js';
import { PROPERTIES } from './properties/all.js';
import { type Change, render } from './properties/property.js';
import { runDir } from '../../deploy/tools/fixtures/ops-tools.js';

/** Of a test that shares a busy machine with many like it. */
const PATIENCE_MS = 300_000;

type Mutation = [what: string, ...change: Change];

const MUTATIONS: Mutation[] = [
  ['the liveness probe is gone', 'templates/deployments.yaml', / +livenessProbe:\n.*\n/, ''],
  ['the readiness probe is gone', 'templates/deployments.yaml', / +readinessProbe:\n.*\n/, ''],
  ['the startup probe is gone', 'templates/deployments.yaml', / +startupProbe:\n.*\n/, ''],
  ['liveness depends on stores', 'templates/deployments.yaml', /(livenessProbe:\n.*)\/healthz/, '$1/readyz'],
  ['readiness asks whether it lives', 'templates/deployments.yaml', '"/readyz"', '"/healthz"'],
  [
    'root may be the user',
    'templates/_pod.tpl',
    /runAsNonRoot: true\n {2}runAsUser/,
    'runAsNonRoot: false\n  runAsUser',
  ],
  ['root is the user', 'templates/_pod.tpl', '{{ include "po.text" .runAsUser }}', '0'],
  ['a user of the node', 'values.yaml', 'runAsUser: 10001', 'runAsUser: 1000'],
  [
    'the root file system can be written to',
    'templates/_pod.tpl',
    'readOnlyRootFilesystem: true',
    'readOnlyRootFilesystem: false',
  ],
  ['privileges can be had', 'templates/_pod.tpl', 'allowPrivilegeEscalation: false', 'allowPrivilegeEscalation: true'],
  ['it is privileged', 'templates/_pod.tpl', 'privileged: false', 'privileged: true'],
  ['capabilities are left', 'templates/_pod.tpl', 'drop: [ALL]', 'drop: [NET_RAW]'],
  ['a capability is added', 'templates/_pod.tpl', 'drop: [ALL]', 'drop: [ALL]\n    add: [NET_ADMIN]'],
  ['no seccomp profile', 'templates/_pod.tpl', 'RuntimeDefault', 'Unconfined'],
  [
    'pods get a token',
    'templates/_pod.tpl',
    'automountServiceAccountToken: false',
    'automountServiceAccountToken: true',
  ],
  [
    'accounts give a token',
    'templates/serviceaccounts.yaml',
    'automountServiceAccountToken: false',
    'automountServiceAccountToken: true',
  ],
  [
    'it is on the network of its node',
    'templates/_pod.tpl',
    'enableServiceLinks: false',
    'enableServiceLinks: false\nhostNetwork: true',
  ],
  [
    'a folder of the node is mounted',
    'templates/_pod.tpl',
    /emptyDir:\n {4}sizeLimit: 32Mi/,
    'hostPath:\n    path: /tmp',
  ],
  ['no place to write to', 'templates/_pod.tpl', /- name: tmp\n {2}mountPath: \/tmp\n/, ''],
  [
    'a secret stands there as it is',
    'templates/deployments.yaml',
    '          env:\n',
    '          env:\n            - name: REDIS_URL\n              value: redis://redis:6379\n',
  ],
  [
    'an address has its password in it',
    'templates/_jobs.tpl',
    '      env:\n',
    '      env:\n        - name: PROXY\n          value: http://user:hunter2@proxy\n',
  ],
  [
    'a secret is among the settings',
    'templates/_service.tpl',
    '{{ include "po.kafka" .root }}',
    '{{ include "po.kafka" .root }}\nKAFKA_SASL_PASSWORD: hunter2',
  ],
  [
    'no memory is asked for',
    'values.yaml',
    'requests: { cpu: 100m, memory: 512Mi, ephemeral-storage: 64Mi }',
    'requests: { cpu: 100m, ephemeral-storage: 64Mi }',
  ],
  [
    'memory has no limit',
    'templates/deployments.yaml',
    '{{- toYaml $service.resources',
    '{{- toYaml (omit $service.resources "limits")',
  ],
  ['the heap is not bounded', 'templates/deployments.yaml', '--max-old-space-size={{ $service.heap.oldSpace }} ', ''],
  ['the old replica goes first', 'templates/deployments.yaml', 'maxUnavailable: 0', 'maxUnavailable: 1'],
  ['all are replaced at once', 'templates/deployments.yaml', /type: RollingUpdate\n.*\n.*\n.*\n/, 'type: Recreate\n'],
  ['no time to drain', 'values.yaml', 'terminationGracePeriodSeconds: 45', 'terminationGracePeriodSeconds: 30'],
  ['gateways stop at once', 'values.yaml', 'DRAIN_DELAY_MS: 5000', 'DRAIN_DELAY_MS: 0'],
  ['a replica has no name', 'templates/deployments.yaml', 'name: INSTANCE_ID', 'name: REPLICA'],
  [
    'settings change without a restart',
    'templates/deployments.yaml',
    /checksum\/config: .*\n/,
    'checksum/config: none\n',
  ],
  [
    'replicas may share a node',
    'templates/_pod.tpl',
    '"kubernetes.io/hostname" .service.spread.hosts',
    '"kubernetes.io/hostnames" .service.spread.hosts',
  ],
  ['no disruption budget', 'templates/disruption-budgets.yaml', 'if $service.disruptionBudget.enabled', 'if false'],
  [
    'what is not denied is let through',
    'templates/networkpolicies.yaml',
    'policyTypes: [Ingress, Egress]',
    'policyTypes: [Ingress]',
  ],
  ['everybody may call', 'templates/networkpolicies.yaml', / {6}from:\n.*gatewayFrom.*\n/, ''],
  ['everybody may read metrics', 'templates/networkpolicies.yaml', / {6}from:\n.*managementFrom.*\n/, ''],
  [
    'every port may be reached',
    'templates/_network.tpl',
    /- ports:\n[^]*?protocol: {{ \. }}\n.*\n.*\n {2}{{- with \.to }}\n {2}to:/,
    '- {{- with .to }}\n  to:',
  ],
  ['callers see the management port', 'templates/services.yaml', 'targetPort: http', 'targetPort: management'],
  [
    'the image is whatever was built last',
    'templates/_names.tpl',
    '.root.Values.image.tag | default .root.Chart.AppVersion',
    '"latest"',
  ],
  ['certificates go to everybody', 'templates/_files.tpl', 'if hasKey $certificates.clients $.key', 'if true'],
  ['the digest does not count', 'templates/_names.tpl', 'if .image.digest', 'if false'],
  ['jobs run after the services', 'templates/_jobs.tpl', 'pre-install,pre-upgrade', 'post-install,post-upgrade'],
  [
    'a job is kept from its next run',
    'templates/jobs.yaml',
    '"policy" "before-hook-creation")',
    '"policy" "hook-failed")',
  ],
  ['the portal hides the API', 'templates/_names.tpl', 'ternary "/" "/api"', 'ternary "/" "/api/none"'],
  ['a field that does not exist', 'templates/deployments.yaml', 'revisionHistoryLimit: 5', 'revisionHistory: 5'],
  ['a kind that does not exist', 'templates/autoscalers.yaml', 'autoscaling/v2\n', 'autoscaling/v2beta2\n'],
];

/** Works with a copy of the chart in which one text of a file is replaced. */
async function withChanged<T>([file, from, to]: Change, work: (chart: string) => Promise<T>): Promise<T> {
  const chart = join(runDir(), `chart-${randomUUID()}`);
  await cp(join(ROOT, CHART), chart, { recursive: true });
  const path = join(chart, file);
  const text = await readFile(path, 'utf8');
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  await writeFile(path, changed);
  const result = await work(chart);
  await rm(chart, { recursive: true });
  return result;
}

describe('the checks of the chart', () => {
  it.concurrent.each(MUTATIONS)(
    'notice when %s',
    async (_what, ...change) => {
      const { value } = await withChanged(change, (chart) => faultsOf(chart).next());
      expect(value).toEqual(expect.any(String));
    },
    PATIENCE_MS,
  );
});

describe('a changed chart', () => {
  const changes = PROPERTIES.flatMap(({ title, check, brokenBy }) =>
    brokenBy.map((change) => ({ title, check, change, text: change[2] })),
  );

  it.concurrent.each(changes)(
    'breaks the rule that $title: $text',
    async ({ check, change }) => {
      const breaks = await withChanged(change, async (chart) => {
        for (const name of NAMES.toReversed()) {
          const rendered = await render(name, chart);
          const holds = await Promise.resolve(rendered)
            .then(check)
            .then(
              () => true,
              () => false,
            );
          if (!holds) return true;
        }
        return false;
      });
      expect(breaks).toBe(true);
    },
    PATIENCE_MS,
  );
});

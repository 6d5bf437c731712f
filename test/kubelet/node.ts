import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@po/testing/eventually';
import { run } from '../../deploy/local/processes/run.js';
import { programOf, runDir } from '../../deploy/tools/fixtures/ops-tools.js';
import { Docker } from '../images/engine.js';
import type { ApiServer } from '../ops/api-server.js';
import type { Resource } from '../ops/chart.js';

/** Image whose container keeps the namespaces of a pod; any idle program will do. */
const PAUSE = 'docker.io/po-test/pause:latest';
const READY_MS = 120_000;

const dir = () => join(runDir(), 'node');
const containerd = () => join(dir(), 'containerd.sock');

/** Configuration of a second containerd, because the engine's containerd takes no settings. */
const runtime = () => `version = 2
root = '${dir()}/containerd'
state = '${dir()}/state'
[grpc]
address = '${containerd()}'
[plugins.'io.containerd.grpc.v1.cri']
sandbox_image = '${PAUSE}'
# Without CAP_SYS_RESOURCE, as in some virtual machines, the score cannot be lowered.
restrict_oom_score_adj = true
[plugins.'io.containerd.grpc.v1.cri'.cni]
conf_dir = '${dir()}/networks'
`;

const network = () => ({
  cniVersion: '1.0.0',
  name: 'pods',
  plugins: [
    {
      type: 'ptp',
      ipam: {
        type: 'host-local',
        dataDir: join(dir(), 'addresses'),
        ranges: [[{ subnet: '198.18.1.0/24' }]],
        routes: [{ dst: '0.0.0.0/0' }],
      },
    },
  ],
});

const kubelet = () => ({
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  containerRuntimeEndpoint: `unix://${containerd()}`,
  cgroupDriver: 'cgroupfs',
  failCgroupV1: false,
  failSwapOn: false,
  // Listens on no port.
  enableServer: false,
  healthzPort: 0,
  makeIPTablesUtilChains: false,
  podLogsDir: join(dir(), 'logs'),
  // Low thresholds, because the machine's disk may be nearly full.
  evictionHard: { 'memory.available': '1%', 'nodefs.available': '1%', 'imagefs.available': '1%' },
  imageGCHighThresholdPercent: 100,
});

const PROXY = [
  '--proxy-mode=iptables',
  '--iptables-localhost-nodeports=false',
  // Listens on no port, and leaves the machine's conntrack settings unchanged.
  '--healthz-bind-address=',
  '--metrics-bind-address=',
  '--conntrack-max-per-core=0',
  '--conntrack-tcp-timeout-established=0',
  '--conntrack-tcp-timeout-close-wait=0',
];

/** Cluster node: Debian's containerd with Kubernetes' kubelet and kube-proxy. Scheduler and controllers run beside the API server. */
export class Node {
  constructor(
    private readonly docker: Docker,
    private readonly server: ApiServer,
  ) {}

  async start(): Promise<void> {
    const { docker, server } = this;
    await mkdir(join(dir(), 'networks'), { recursive: true });
    await writeFile(join(dir(), 'containerd.toml'), runtime());
    await writeFile(join(dir(), 'networks/pods.conflist'), JSON.stringify(network()));
    await writeFile(join(dir(), 'kubelet.json'), JSON.stringify(kubelet()));
    this.run('containerd', ['containerd', '--config', join(dir(), 'containerd.toml')]);
    const base = join(Docker.cache(), 'node-base.tar');
    await docker.run(['import', '--change', 'CMD ["/bin/sleep", "infinity"]', base, PAUSE]);
    await eventually('containerd answers', () => this.ctr(['version']).then(Boolean), { timeoutMs: READY_MS });
    await this.load([PAUSE]);
    const config = `--kubeconfig=${await server.kubeconfig()}`;
    const name = '--hostname-override=node';
    for (const program of ['kube-controller-manager', 'kube-scheduler'])
      server.run(program, programOf('kube-node'), [program, config, '--leader-elect=false', '--secure-port=0']);
    const folders = [
      `--config=${dir()}/kubelet.json`,
      `--root-dir=${dir()}/kubelet`,
      `--cert-dir=${dir()}/certificates`,
    ];
    this.run('kubelet', [programOf('kube-node'), 'kubelet', config, name, ...folders]);
    this.run('kube-proxy', [programOf('kube-node'), 'kube-proxy', config, name, ...PROXY]);
    await eventually('the node is ready', () => this.isReady(), { timeoutMs: READY_MS });
  }

  /** Copies images of the engine to the node. */
  async load(images: readonly string[]): Promise<void> {
    const file = join(runDir(), 'images.tar');
    await this.docker.run(['save', '--output', file, ...images]);
    await this.ctr(['images', 'import', file]);
  }

  /** Runs a program in the container of a pod, as its user and with its privileges. Returns the output. */
  printed({ status }: Resource, command: readonly string[]): Promise<string> {
    const id = String(status.containerStatuses[0].containerID).replace('containerd://', '');
    return this.ctr(['tasks', 'exec', '--exec-id', 'test', id, ...command]);
  }

  /** Removes kube-proxy's rules from the machine's packet filter, after the API server has stopped. The engine ends the pods. */
  async stop(): Promise<void> {
    await this.inside([programOf('kube-node'), 'kube-proxy', '--cleanup']);
  }

  private async isReady(): Promise<boolean> {
    const [node] = await this.server.list('/api/v1/nodes');
    const conditions = (node?.['status'].conditions ?? []) as { type: string; status: string; message: string }[];
    const ready = conditions.find(({ type }) => type === 'Ready');
    if (ready?.status !== 'True') throw new Error(ready?.message ?? 'there is no node');
    return true;
  }

  /** Starts a program that ends with the API server. */
  private run(name: string, command: readonly string[]): void {
    const [nsenter = '', ...args] = this.docker.inside(command);
    this.server.run(name, nsenter, args);
  }

  private ctr(args: readonly string[]): Promise<string> {
    return this.inside(['ctr', '--address', containerd(), '--namespace', 'k8s.io', ...args]);
  }

  private inside(command: readonly string[]): Promise<string> {
    const [nsenter = '', ...args] = this.docker.inside(command);
    return run(nsenter, args);
  }
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@po/testing/eventually';
import { run } from '../../deploy/local/processes/run.js';
import { programOf, runDir } from '../../deploy/tools/fixtures/ops-tools.js';
import { Docker } from '../images/engine.js';
import type { ApiServer } from '../ops/api-server.js';
import type { Resource } from '../ops/chart.js';

/** Keeps the namespaces of a pod: any program that does nothing. */
const PAUSE = 'docker.io/po-test/pause:latest';
const READY_MS = 120_000;

const dir = () => join(runDir(), 'node');
const containerd = () => join(dir(), 'containerd.sock');

/** Beside the containerd of the engine, which no setting reaches. */
const runtime = () => `version = 2
root = '${dir()}/containerd'
state = '${dir()}/state'
[grpc]
address = '${containerd()}'
[plugins.'io.containerd.grpc.v1.cri']
sandbox_image = '${PAUSE}'
# Without CAP_SYS_RESOURCE nobody may lower it, as in some virtual machines.
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
  // It listens nowhere.
  enableServer: false,
  healthzPort: 0,
  makeIPTablesUtilChains: false,
  podLogsDir: join(dir(), 'logs'),
  // However full the machine's disk is.
  evictionHard: { 'memory.available': '1%', 'nodefs.available': '1%', 'imagefs.available': '1%' },
  imageGCHighThresholdPercent: 100,
});

const PROXY = [
  '--proxy-mode=iptables',
  '--iptables-localhost-nodeports=false',
  // It listens nowhere, and leaves the machine's settings of connections.
  '--healthz-bind-address=',
  '--metrics-bind-address=',
  '--conntrack-max-per-core=0',
  '--conntrack-tcp-timeout-established=0',
  '--conntrack-tcp-timeout-close-wait=0',
];

/** The node of a cluster: Debian's containerd, with Kubernetes' own kubelet and kube-proxy; scheduler and controllers beside the API server. */
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

  /** Gives the node images that the engine has. */
  async load(images: readonly string[]): Promise<void> {
    const file = join(runDir(), 'images.tar');
    await this.docker.run(['save', '--output', file, ...images]);
    await this.ctr(['images', 'import', file]);
  }

  /** What a program prints in the container of a pod, as the user and with the rights of that container. */
  printed({ status }: Resource, command: readonly string[]): Promise<string> {
    const id = String(status.containerStatuses[0].containerID).replace('containerd://', '');
    return this.ctr(['tasks', 'exec', '--exec-id', 'test', id, ...command]);
  }

  /** Takes its rules out of the machine's packet filter, when the API server has stopped. The engine ends the pods. */
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

import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run, tryRun } from '../../deploy/local/processes/run.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { good, tool } from '../ops/tools.js';
import { type Running, runningOf } from './running.js';

/** Where images are; the second one copies every layer, and is for machines that cannot do the first. */
const DRIVERS = ['overlay', 'vfs'] as const;

interface Inspected {
  Size: number;
  RootFS: { Layers: string[] };
  Config: { User: string; Cmd?: string[]; Entrypoint?: string[]; Labels: Record<string, string>; WorkingDir: string };
}

/** buildah and podman with a store of their own, of which nothing is left. */
export class Engine {
  private readonly children: ChildProcess[] = [];
  private containers = 0;

  private constructor(
    private readonly dir: string,
    private readonly driver: (typeof DRIVERS)[number],
  ) {}

  static async open(dir: string): Promise<Engine> {
    if (process.getuid?.() !== 0) throw new Error('building and running images needs root: sudo npm run test:images');
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, 'policy.json'), JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }));
    const reasons: string[] = [];
    for (const driver of DRIVERS) {
      const engine = new Engine(dir, driver);
      await engine.configure();
      const { code, text } = await tool('buildah', ['from', 'scratch']);
      if (code === 0) return engine;
      reasons.push(`${driver}: ${text}`);
      await engine.close();
    }
    throw new Error(`no storage driver works here:\n${reasons.join('\n')}`);
  }

  /** So that nothing of what this machine has configured counts, and nothing that it has stored. */
  private async configure(): Promise<void> {
    const storage = join(this.dir, 'storage.conf');
    const places = { driver: this.driver, graphroot: join(this.dir, 'store'), runroot: join(this.dir, 'running') };
    const lines = Object.entries(places).map(([name, value]) => `${name} = "${value}"`);
    await writeFile(storage, ['[storage]', ...lines, ''].join('\n'));
    Object.assign(process.env, {
      ...{ CONTAINERS_STORAGE_CONF: storage, CONTAINERS_CONF: '/dev/null', CONTAINERS_REGISTRIES_CONF: '/dev/null' },
    });
  }

  /** Builds what a Dockerfile says, under this name. npm keeps what it fetches where it does on this machine. */
  async build(name: string, context: string, args: readonly string[]): Promise<void> {
    const cache = await npmSetting('cache', context);
    await good('buildah', [
      ...['build', '--isolation', 'chroot', '--pull-never', '--format', 'docker'],
      // A layer for each instruction, which the next image begins with; where layers are copies only one for each stage.
      ...[`--layers=${String(this.driver === 'overlay')}`, '--signature-policy', join(this.dir, 'policy.json')],
      ...[...args, '--volume', `${cache}:/root/.npm:rw`, '--tag', name, context],
    ]);
  }

  /**
   * An image under the name of Node's own: the Debian that the name says, this machine's npm and Node. npm in it finds packages where this
   * machine's does, and trusts whom it trusts.
   */
  async buildBase(name: string): Promise<void> {
    const context = join(this.dir, 'base');
    await mkdir(context, { recursive: true });
    const suite = /node:\d+-(\w+)-slim$/.exec(name)?.[1] ?? '';
    const packages = '--include=ca-certificates,libstdc++6';
    await good('mmdebstrap', [
      '--quiet',
      '--mode=root',
      '--variant=minbase',
      packages,
      suite,
      join(context, 'rootfs.tar'),
    ]);
    await copyFile(process.execPath, join(context, 'node'));
    const npm = dirname(dirname(await realpath((await run('sh', ['-c', 'command -v npm'])).trim())));
    await run('tar', ['--create', '--file', join(context, 'npm.tar'), '--directory', npm, '.']);
    const lines = [`registry=${await npmSetting('registry', context)}`];
    const cafile = (await npmSetting('cafile', context)).replace(/^null$/, '') || process.env['NODE_EXTRA_CA_CERTS'];
    if (cafile) {
      await copyFile(cafile, join(context, 'npm-ca.pem'));
      lines.push('cafile=/usr/local/etc/npm-ca.pem');
    }
    await writeFile(join(context, 'npmrc'), `${lines.join('\n')}\n`);
    await writeFile(
      join(context, 'Dockerfile'),
      `FROM scratch
      ADD rootfs.tar /
      COPY node /usr/local/bin/
      ADD npm.tar /usr/local/lib/node_modules/npm
      COPY npm* /usr/local/etc/
      RUN rm /usr/local/etc/npm.tar && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm`,
    );
    await this.build(`docker.io/library/${name}`, context, []);
  }

  async inspect(image: string): Promise<Inspected> {
    const [inspected] = JSON.parse(await good('podman', [...this.machine(), 'image', 'inspect', image])) as [Inspected];
    return inspected;
  }

  /** Bytes of each layer that an image has on its base, the last one first, and what made it. */
  async layersOf(image: string): Promise<{ size: number; by: string }[]> {
    const text = await good('podman', [...this.machine(), 'history', '--no-trunc', '--format', 'json', image]);
    return (JSON.parse(text) as { size: number; CreatedBy: string }[]).map((layer) => ({
      size: layer.size,
      by: layer.CreatedBy,
    }));
  }

  /** Runs an image as a cluster would: it can write to /tmp and nowhere else, and has no right that root has. */
  run(
    image: string,
    environment: Readonly<Record<string, string>>,
    args: readonly string[] = [],
    more: readonly string[] = [],
  ): Running {
    this.containers += 1;
    const name = `po-${this.containers}`;
    const limits = ['nofile=1024:1024', 'nproc=1024:1024'].flatMap((limit) => ['--ulimit', limit]);
    const variables = Object.entries(environment).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
    const child = spawn(
      join(process.env['OPS_BIN'] ?? '', 'podman'),
      [
        ...[
          ...this.machine(),
          'run',
          '--rm',
          '--timeout',
          '900',
          '--name',
          name,
          '--pull',
          'never',
          '--log-driver',
          'none',
          ...limits,
        ],
        ...['--network', 'host', '--read-only', '--read-only-tmpfs=false', '--tmpfs', '/tmp'],
        ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', ...variables, ...more, image, ...args],
      ],
      { cwd: REPOSITORY, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.children.push(child);
    const tell = (command: readonly string[]) =>
      good('podman', [...this.machine(), ...command, name]).then(() => undefined);
    return runningOf(child, {
      stop: () => tell(['stop', '--time', '45']),
      signal: (signal) => tell(['kill', '--signal', signal]),
    });
  }

  /** Ends its containers and removes all that it stored. */
  async close(): Promise<void> {
    await tool('podman', [...this.machine(), 'rm', '--all', '--force', '--time', '0']);
    await tool('buildah', ['rm', '--all']);
    for (const child of this.children) child.kill('SIGKILL');
    await tryRun('umount', [join(this.dir, 'store', this.driver)]);
    await rm(this.dir, { recursive: true, force: true });
  }

  /** What podman is told for every command. */
  private machine(): string[] {
    const places = ['--tmpdir', join(this.dir, 'podman')];
    return [...places, '--cgroup-manager', 'cgroupfs', '--runtime', 'runc', '--events-backend', 'none'];
  }
}

const npmSetting = async (name: string, cwd: string): Promise<string> =>
  (await run('npm', ['config', 'get', name], { cwd })).trim();

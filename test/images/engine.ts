import { type ChildProcess, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { copyFile, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { childEnvironment } from '../../deploy/local/config.js';
import { run, tryRun } from '../../deploy/local/processes/run.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { type Outcome, good, programOf, tool } from '../../deploy/tools/fixtures/ops-tools.js';
import { type Running, runningOf } from './running.js';

/** Where images are; the second one copies every layer, and is for machines that cannot do the first. */
const DRIVERS = ['overlay', 'vfs'] as const;

interface Inspected {
  Size: number;
  RootFS: { Layers: string[] };
  Config: { User: string; Cmd?: string[]; Entrypoint?: string[]; Labels: Record<string, string>; WorkingDir: string };
}

interface RunOptions {
  /** Without one a program is on its own. */
  network: 'host' | 'none';
  environment?: Readonly<Record<string, string>>;
  /** Instead of the image's own. */
  command?: readonly string[];
  workdir?: string;
}

/** buildah and podman with a store of their own, which is removed. What this machine has of either is neither seen nor touched. */
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
      const { code, text } = await engine.ask('buildah', ['from', 'scratch']);
      if (code === 0) return engine;
      reasons.push(`${driver}: ${text}`);
      await engine.close();
    }
    throw new Error(`no storage driver works here:\n${reasons.join('\n')}`);
  }

  /** So that nothing counts of what this machine has configured. */
  private async configure(): Promise<void> {
    const places = { driver: this.driver, graphroot: join(this.dir, 'store'), runroot: join(this.dir, 'running') };
    const lines = Object.entries(places).map(([key, value]) => `${key} = "${value}"\n`);
    await writeFile(join(this.dir, 'storage.conf'), `[storage]\n${lines.join('')}`);
    const tree = join(dirname(programOf('podman')), '../lib/podman');
    const libraries = globSync('{usr/,}lib/*-linux-gnu', { cwd: tree }).map((folder) => join(tree, folder));
    // When a container ends, conmon calls podman itself, without the script that finds its libraries: podman would wait 20 s for that.
    const variables = [`PATH=${process.env['PATH'] ?? ''}`, `LD_LIBRARY_PATH=${libraries.join(':')}`];
    await writeFile(join(this.dir, 'engine.conf'), `[engine]\nconmon_env_vars = ${JSON.stringify(variables)}\n`);
  }

  /** Builds what a Dockerfile says, under this name. npm keeps what it fetches where it does on this machine. */
  async build(name: string, context: string, args: readonly string[]): Promise<void> {
    const cache = await npmSetting('cache', context);
    await this.good('buildah', [
      'build',
      '--isolation',
      'chroot',
      '--pull-never',
      '--format',
      'docker',
      // A layer for each instruction, which the next image begins with; where layers are copies only one for each stage.
      `--layers=${String(this.driver === 'overlay')}`,
      '--signature-policy',
      join(this.dir, 'policy.json'),
      ...args,
      '--volume',
      `${cache}:/root/.npm:rw`,
      '--tag',
      name,
      context,
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
    const target = join(context, 'rootfs.tar');
    await good('mmdebstrap', ['--quiet', '--mode=root', '--variant=minbase', packages, suite, target]);
    await copyFile(process.execPath, join(context, 'node'));
    const npm = dirname(dirname(await realpath((await run('sh', ['-c', 'command -v npm'])).trim())));
    await run('tar', ['--create', '--file', join(context, 'npm.tar'), '--directory', npm, '.']);
    const lines = [`registry=${await npmSetting('registry', context)}`];
    const cafile = (await npmSetting('cafile', context)).replace(/^null$/, '') || process.env['NODE_EXTRA_CA_CERTS'];
    if (cafile) {
      await copyFile(cafile, join(context, 'npmrc-ca.pem'));
      lines.push('cafile=/usr/local/etc/npmrc-ca.pem');
    }
    await writeFile(join(context, 'npmrc'), `${lines.join('\n')}\n`);
    await writeFile(
      join(context, 'Dockerfile'),
      `FROM scratch
      ADD rootfs.tar /
      COPY node /usr/local/bin/
      ADD npm.tar /usr/local/lib/node_modules/npm
      COPY npmrc* /usr/local/etc/
      RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm`,
    );
    await this.build(`docker.io/library/${name}`, context, []);
  }

  async inspect(image: string): Promise<Inspected> {
    const [inspected] = JSON.parse(await this.good('podman', ['image', 'inspect', image])) as [Inspected];
    return inspected;
  }

  /** Bytes of each layer that an image has on its base, the last one first, and what made it. */
  async layersOf(image: string): Promise<{ size: number; by: string }[]> {
    const text = await this.good('podman', ['history', '--no-trunc', '--format', 'json', image]);
    return (JSON.parse(text) as { size: number; CreatedBy: string }[]).map((layer) => ({
      size: layer.size,
      by: layer.CreatedBy,
    }));
  }

  /** Runs an image as a cluster would: it can write to /tmp and nowhere else, and has no right that root has. */
  run(image: string, { environment = {}, command = [], workdir, network }: RunOptions): Running {
    this.containers += 1;
    const name = `po-${this.containers}`;
    const limits = ['nofile=1024:1024', 'nproc=1024:1024'].flatMap((limit) => ['--ulimit', limit]);
    const variables = Object.entries(environment).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
    const podman = [
      // One that nobody ends, because this process was killed, ends by itself.
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
      '--read-only',
      '--read-only-tmpfs=false',
      '--tmpfs',
      '/tmp',
      '--cap-drop',
      'ALL',
      '--security-opt',
      'no-new-privileges',
      ...variables,
      '--network',
      network,
      ...(workdir ? ['--workdir', workdir] : []),
      image,
      ...command,
    ];
    const child = spawn(programOf('podman'), [...this.options('podman'), ...podman], {
      cwd: REPOSITORY,
      env: childEnvironment(this.environment()),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.children.push(child);
    const tell = (...words: string[]) => this.good('podman', [...words, name]).then(() => undefined);
    return runningOf(child, {
      stop: () => tell('stop', '--time', '45'),
      signal: (signal) => tell('kill', '--signal', signal),
    });
  }

  /** Ends its containers and removes all that it stored. */
  async close(): Promise<void> {
    await this.ask('podman', ['rm', '--all', '--force', '--time', '0']);
    await this.ask('buildah', ['rm', '--all']);
    for (const child of this.children) child.kill('SIGKILL');
    await tryRun('umount', [join(this.dir, 'store', this.driver)]);
    await rm(this.dir, { recursive: true, force: true });
  }

  private ask(name: 'buildah' | 'podman', args: readonly string[]): Promise<Outcome> {
    return tool(name, [...this.options(name), ...args], this.environment());
  }

  private good(name: 'buildah' | 'podman', args: readonly string[]): Promise<string> {
    return good(name, [...this.options(name), ...args], this.environment());
  }

  /** Where everything is: as arguments, for what ends all containers may never mean those of somebody else. */
  private options(name: 'buildah' | 'podman'): string[] {
    const places = ['--root', join(this.dir, 'store'), '--runroot', join(this.dir, 'running')];
    const store = [...places, '--storage-driver', this.driver];
    if (name === 'buildah') return store;
    const machine = ['--cgroup-manager', 'cgroupfs', '--runtime', 'runc', '--events-backend', 'none'];
    const folders = ['--tmpdir', join(this.dir, 'podman'), '--network-config-dir', join(this.dir, 'networks')];
    return [...store, ...folders, ...machine];
  }

  private environment(): Record<string, string> {
    const file = (name: string) => join(this.dir, name);
    return {
      CONTAINERS_STORAGE_CONF: file('storage.conf'),
      CONTAINERS_CONF: file('engine.conf'),
      CONTAINERS_REGISTRIES_CONF: '/dev/null',
    };
  }
}

const npmSetting = async (name: string, cwd: string): Promise<string> =>
  (await run('npm', ['config', 'get', name], { cwd })).trim();

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment, usesHostDockerEngine } from '../../deploy/local/config.js';
import { run, tryRun } from '../../deploy/local/processes/run.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { runTool, runDir } from '../../deploy/tools/fixtures/ops-tools.js';
import { eventually } from '@po/testing/eventually';

/** Oldest Debian with the compose plugin, and its packages for the engine; pod networks need containernetworking-plugins. */
const RELEASE = 'trixie';
const PACKAGES =
  'ca-certificates,containerd,containernetworking-plugins,docker-buildx,docker-cli,docker-compose,docker.io,iptables,runc';
/** The name depends on the packages, so a changed list gets a new folder. */
const ENGINE = `engine-${createHash('sha256').update(PACKAGES).digest('hex').slice(0, 8)}`;
const FORWARDING = '/proc/sys/net/ipv4/ip_forward';
const START_MS = 60_000;
const PLUGINS = ['buildx', 'compose'];

/**
 * Debian's Docker engine with its own data, beside any engine of this machine. If PO_DOCKER_ENGINE is "machine", it is the machine's
 * engine, with images from registries.
 */
export class Docker {
  /** Whether the machine's engine is used: images come from registries, and the engine must not be stopped. */
  static readonly usesHostEngine = usesHostDockerEngine();

  /** Disables Ryuk, which removes the containers of killed tests, because its image is only in registries. */
  static readonly withoutReaper: Record<string, string> = Docker.usesHostEngine
    ? {}
    : { TESTCONTAINERS_RYUK_DISABLED: 'true' };

  private daemon: ChildProcess | null = null;
  private forwarded = '';

  private constructor(
    private readonly dir: string,
    private readonly root: string,
  ) {}

  static async open(): Promise<Docker> {
    const dir = join(runDir(), 'docker');
    const docker = new Docker(dir, join(Docker.cache(), ENGINE));
    await mkdir(dir, { recursive: true });
    if (Docker.usesHostEngine) return docker;
    if (process.getuid?.() !== 0) throw new Error('the Docker engine needs root: sudo npm run test:docker');
    await debianIn(docker.root, RELEASE, PACKAGES);
    await docker.installClient();
    docker.forwarded = await readFile(FORWARDING, 'utf8');
    // If forwarding is already on, the engine does not change the policy for forwarded packets.
    await writeFile(FORWARDING, '1');
    await docker.start().catch(async (error: unknown) => {
      await docker.close().catch(() => undefined);
      throw error;
    });
    return docker;
  }

  /** Folder that all runs share. Throws if OPS_CACHE is not set. */
  static cache(): string {
    const cache = process.env['OPS_CACHE'];
    if (!cache) throw new Error('OPS_CACHE is not set: start these tests by "npm run test:docker"');
    return join(cache, 'docker');
  }

  /** Environment with which a client finds the engine. */
  get environment(): Record<string, string> {
    if (Docker.usesHostEngine) return {};
    return {
      DOCKER_HOST: `unix://${join(this.dir, 'docker.sock')}`,
      DOCKER_CONFIG: join(this.dir, 'client'),
      PATH: `${this.bin}:${process.env['PATH'] ?? ''}`,
    };
  }

  /** Folder of the Docker client. */
  get bin(): string {
    return join(this.dir, 'bin');
  }

  /** Returns the standard output of a docker command. Rejects with its entire output if it fails. */
  run(args: readonly string[], { env = {}, cwd = REPOSITORY }: { env?: Record<string, string>; cwd?: string } = {}) {
    const environment = childEnvironment({ ...this.environment, ...env });
    const program = Docker.usesHostEngine ? 'docker' : join(this.bin, 'docker');
    return run(program, args, { cwd, env: environment });
  }

  async inspect<T>(...names: string[]): Promise<T[]> {
    return JSON.parse(await this.run(['inspect', ...names])) as T[];
  }

  /** Wraps a command to run in the engine's namespaces. It ends with the wrapper or with the engine. */
  inside(command: readonly string[]): string[] {
    const process = `/proc/${this.daemon?.pid}`;
    const namespaces = [`--mount=${process}/ns/mnt`, `--pid=${process}/ns/pid_for_children`];
    return ['nsenter', ...namespaces, `--root=${process}/root`, '--wd=/', 'setpriv', '--pdeathsig', 'TERM', ...command];
  }

  async start(): Promise<void> {
    const log = createWriteStream(join(this.dir, 'dockerd.log'), { flags: 'a' });
    const script = join(REPOSITORY, 'test/images/engine.sh');
    const daemon = spawn('sh', [script, this.root, this.dir, REPOSITORY, runDir()], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.daemon = daemon;
    for (const stream of [daemon.stdout, daemon.stderr]) stream.pipe(log, { end: false });
    await eventually('the engine answers', () => this.run(['version']).then(Boolean), {
      timeoutMs: START_MS,
      giveUp: () => (daemon.exitCode === null ? undefined : new Error(`the engine ended, see ${this.dir}/dockerd.log`)),
    });
  }

  /** Kills the engine together with every container. */
  async stop(): Promise<void> {
    const { daemon } = this;
    if (!daemon || daemon.exitCode !== null || daemon.signalCode !== null) return;
    const ended = new Promise((resolve) => daemon.once('close', resolve));
    daemon.kill('SIGKILL');
    await ended;
  }

  async close(): Promise<void> {
    if (Docker.usesHostEngine) return;
    try {
      const containers = (await this.run(['ps', '--all', '--quiet'])).split('\n').filter(Boolean);
      if (containers.length > 0) await this.run(['rm', '--force', '--volumes', ...containers]);
      await this.run(['network', 'prune', '--force']);
    } finally {
      await this.stop();
      await tryRun('ip', ['link', 'delete', 'docker0']);
      await writeFile(FORWARDING, this.forwarded);
    }
  }

  /** Installs the client outside of the engine's Debian, but with that Debian's libraries. */
  private async installClient(): Promise<void> {
    const plugins = join(this.dir, 'client/cli-plugins');
    for (const folder of [this.bin, plugins]) await mkdir(folder, { recursive: true });
    const [loader = ''] = (await run('sh', ['-c', `ls ${this.root}/usr/lib/*-linux-gnu/ld-linux-*`])).split('\n');
    const libraries = loader.slice(0, loader.lastIndexOf('/'));
    const programs = [
      ['usr/bin/docker', join(this.bin, 'docker')],
      ...PLUGINS.map((name) => [`usr/libexec/docker/cli-plugins/docker-${name}`, join(plugins, `docker-${name}`)]),
    ];
    for (const [program = '', script = ''] of programs) {
      const call = `exec '${loader}' --library-path '${libraries}' '${join(this.root, program)}' "$@"`;
      await writeFile(script, `#!/bin/sh\n${call}\n`, { mode: 0o755 });
    }
  }
}

/** Creates a Debian with these packages as a folder or a tar file, unless it exists. */
export async function debianIn(target: string, release: string, packages: string): Promise<void> {
  if (existsSync(target)) return;
  await mkdir(join(target, '..'), { recursive: true });
  const unfinished = `${target.replace(/(\.tar)?$/, '')}.${process.pid}${target.endsWith('.tar') ? '.tar' : ''}`;
  try {
    await runTool('mmdebstrap', [
      '--quiet',
      '--mode=root',
      '--variant=minbase',
      `--include=${packages}`,
      release,
      unfinished,
    ]);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

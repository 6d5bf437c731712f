import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, realpath, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '../../deploy/local/config.js';
import { HOST, reservePorts } from '../../deploy/local/processes/ports.js';
import { run } from '../../deploy/local/processes/run.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { runDir } from '../../deploy/tools/fixtures/ops-tools.js';
import { Docker } from './engine.js';

/** Programs of a machine with Node and Docker, but without Java and Maven. */
const PROGRAMS = ['env', 'node', 'npm', 'sh'];
/** PATH without folders of npm packages, because a start may reinstall these. */
const ofMachine = (): string =>
  (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':');
/** Variables that would enable other stores than containers. */
const OTHER_WAYS = ['JAVA_HOME', 'KAFKA_BROKERS', 'DATABASE_URL', 'REDIS_URL', 'PO_INFRA'];

/** `npm start`, or another npm command, with stores in containers and with its own folder. */
export class NpmStart {
  private readonly child: ChildProcess;
  private printed = '';

  private constructor(
    readonly dir: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
  ) {
    this.child = spawn('npm', args, { cwd: REPOSITORY, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (text: Buffer) => (this.printed += text.toString()));
  }

  static async begin(docker: Docker, name: string, args: readonly string[] = ['start']): Promise<NpmStart> {
    const dir = join(runDir(), name);
    const programs = join(runDir(), 'programs');
    await rm(programs, { recursive: true, force: true });
    await mkdir(programs, { recursive: true });
    for (const program of [...PROGRAMS, ...(Docker.usesHostEngine ? ['docker'] : [])]) {
      const path = (await run('sh', ['-c', `command -v ${program}`], { env: { PATH: ofMachine() } })).trim();
      await symlink(await realpath(path), join(programs, program));
    }
    const { http } = await reservePorts(dir, ['http']);
    const others = Object.fromEntries(OTHER_WAYS.map((variable) => [variable, null]));
    const own = { PATH: `${docker.bin}:${programs}`, PORT: String(http), PO_LOCAL_DIR: dir };
    const environment = { ...docker.environment, ...Docker.withoutReaper, ...others, ...own };
    return new NpmStart(dir, args, childEnvironment(environment));
  }

  get output(): string {
    return this.printed;
  }

  /** Printed URLs, except those of stores. */
  get urls(): string[] {
    return [...this.printed.matchAll(new RegExp(`(?<=^  \\S+ +)http://${HOST}:\\S+`, 'gm'))].map(([url]) => url);
  }

  /** Interrupts the command as Ctrl-C does. */
  stop(): void {
    this.child.kill('SIGINT');
  }

  /** Ends a command that a failed test left running. */
  async end(): Promise<void> {
    if (this.exitCode !== undefined) return;
    this.child.kill('SIGTERM');
    await new Promise((resolve) => this.child.once('close', resolve));
  }

  /** Exit code: undefined while the command runs, -1 if a signal ended it. */
  get exitCode(): number | undefined {
    const { exitCode, signalCode } = this.child;
    return exitCode ?? (signalCode === null ? undefined : -1);
  }
}

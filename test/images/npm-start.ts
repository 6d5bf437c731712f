import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, realpath, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '../../deploy/local/config.js';
import { HOST, takePorts } from '../../deploy/local/processes/ports.js';
import { run } from '../../deploy/local/processes/run.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { runDir } from '../../deploy/tools/fixtures/ops-tools.js';
import { Docker } from './engine.js';

/** The programs of a machine that has Node and Docker, and neither Java nor Maven. */
const PROGRAMS = ['env', 'node', 'npm', 'sh'];
/** Without the programs that npm installs here, which a start may install anew. */
const ofMachine = (): string =>
  (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':');
/** What makes another way of getting stores possible. */
const OTHER_WAYS = ['JAVA_HOME', 'KAFKA_BROKERS', 'DATABASE_URL', 'REDIS_URL', 'PO_INFRA'];

/** `npm start`, or another command of npm, with containers as stores, in a folder of its own. */
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
    for (const program of [...PROGRAMS, ...(Docker.isOfMachine ? ['docker'] : [])]) {
      const path = (await run('sh', ['-c', `command -v ${program}`], { env: { PATH: ofMachine() } })).trim();
      await symlink(await realpath(path), join(programs, program));
    }
    const { http } = await takePorts(dir, ['http']);
    const others = Object.fromEntries(OTHER_WAYS.map((variable) => [variable, null]));
    const own = { PATH: `${docker.bin}:${programs}`, PORT: String(http), PO_LOCAL_DIR: dir };
    const environment = { ...docker.environment, ...Docker.withoutReaper, ...others, ...own };
    return new NpmStart(dir, args, childEnvironment(environment));
  }

  get output(): string {
    return this.printed;
  }

  /** The addresses that it printed, but those of stores. */
  get urls(): string[] {
    return [...this.printed.matchAll(new RegExp(`(?<=^  \\S+ +)http://${HOST}:\\S+`, 'gm'))].map(([url]) => url);
  }

  /** As Ctrl-C does. */
  stop(): void {
    this.child.kill('SIGINT');
  }

  /** For one that a failed test leaves. */
  async end(): Promise<void> {
    if (this.exitCode !== undefined) return;
    this.child.kill('SIGTERM');
    await new Promise((resolve) => this.child.once('close', resolve));
  }

  /** Its exit code; undefined while it runs. */
  get exitCode(): number | undefined {
    const { exitCode, signalCode } = this.child;
    return exitCode ?? (signalCode === null ? undefined : -1);
  }
}
